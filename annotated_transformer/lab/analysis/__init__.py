"""What a trained model does: its heads, its units, its predictions."""
