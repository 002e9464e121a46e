"""The laboratory: what only the book needs. The library never imports it."""
