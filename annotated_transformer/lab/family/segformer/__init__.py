"""SegFormer: a class for every pixel."""
