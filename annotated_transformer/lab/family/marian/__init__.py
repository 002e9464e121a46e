"""Published Marian translators in our code."""
