"""ELECTRA: an encoder that tells exchanged words from the others."""
