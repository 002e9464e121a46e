"""DeiT: a ViT with a teacher."""
