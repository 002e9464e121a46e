"""ViT: an encoder that reads patches of an image."""
