"""Everyday language: what a visitor may type. CC0."""
