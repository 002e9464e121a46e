"""The measurements behind chapters; `python -m experiments.NAME` makes each record again."""
