"""The way to the book's extensions: who imports this can import them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "_ext"))
