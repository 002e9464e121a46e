"""DiT: an encoder that takes noise away."""
