"""BERT: an encoder that fills gaps."""
