"""Deformable DETR: attention that looks at few points."""
