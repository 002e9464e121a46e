"""Swin: attention inside windows that move."""
