"""T5: every task from text to text."""
