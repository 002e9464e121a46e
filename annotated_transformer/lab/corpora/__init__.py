"""Corpora that only the book needs: made by rules, or read for one chapter."""
