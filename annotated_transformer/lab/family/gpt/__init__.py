"""GPT: a decoder alone."""
