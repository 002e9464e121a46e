"""SAM: a mask for a click."""
