"""DETR: objects found as a set."""
