"""How long a test waits for another program."""

PATIENCE = 3_600
"""Seconds. The limit is only for a program that never ends: a busy machine may be very slow."""
