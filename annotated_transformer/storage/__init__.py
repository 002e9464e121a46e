"""Files below everything else: whole or not at all, read with care, with where they come from."""
