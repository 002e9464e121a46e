"""LLaMA: a decoder alone, with the parts that came after the paper."""
