"""Training: batches, loss, schedule, the loop, checkpoints, recipes and records (section 5)."""
