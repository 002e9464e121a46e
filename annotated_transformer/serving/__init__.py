"""A trained model outside of this program: storage, export, streaming."""
