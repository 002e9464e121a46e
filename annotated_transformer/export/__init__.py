"""A trained model for other programs: CTranslate2, ONNX, a page."""
