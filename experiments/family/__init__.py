"""The measurements behind the chapters of *The family*."""
