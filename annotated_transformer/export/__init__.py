"""A trained model for other programs: CTranslate2, ONNX, a page."""

import importlib
from typing import Any


def optional(name: str) -> Any:
    """Import a package of the extra `export`. Raises ValueError if it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ValueError(f"exporting needs the package {name}: pip install {name}") from error
