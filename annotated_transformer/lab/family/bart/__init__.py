"""BART: an encoder and a decoder that mend spoilt texts."""
