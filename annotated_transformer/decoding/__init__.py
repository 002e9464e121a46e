"""Search for a translation (section 6.1), and the key/value cache that it uses."""
