"""The directory of a run: what is in it, and how it is written and read."""
