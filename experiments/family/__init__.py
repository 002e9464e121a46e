"""Measurements of *The family*, one program each."""
