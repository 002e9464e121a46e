"""The measurements behind the chapters of *The family*: `python -m experiments.family.NAME`."""
