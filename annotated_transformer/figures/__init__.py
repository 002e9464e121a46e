"""Pictures and charts: one module for each chapter, and what they share."""

from annotated_transformer.source import book_libraries

with book_libraries():
    from annotated_transformer.figures.charts import enable_charts, show
    from annotated_transformer.figures.shared import (
        PALETTE,
        TEXT_ON_DARK,
        TEXT_ON_LIGHT,
        attention_chart,
        line_chart,
        loss_chart,
        use_book_style,
    )

__all__ = [
    "PALETTE",
    "TEXT_ON_DARK",
    "TEXT_ON_LIGHT",
    "attention_chart",
    "enable_charts",
    "line_chart",
    "loss_chart",
    "show",
    "use_book_style",
]
