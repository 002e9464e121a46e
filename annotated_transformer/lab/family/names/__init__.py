"""What reference implementations call tensors and settings, one table a file."""
