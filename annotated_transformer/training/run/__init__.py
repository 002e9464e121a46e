"""The directory of a run: its files, and how they are written and read."""
