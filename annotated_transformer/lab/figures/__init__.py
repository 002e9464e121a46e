"""Pictures and charts: one module for each chapter, and what they share."""

from annotated_transformer.lab.source import book_libraries

with book_libraries():
    from annotated_transformer.lab.figures.charts import enable_charts, show
    from annotated_transformer.lab.figures.heat_map import attention_chart
    from annotated_transformer.lab.figures.lines import line_chart, loss_chart
    from annotated_transformer.lab.figures.palette import (
        PALETTE,
        PHONE_WIDTH,
        TEXT_ON_DARK,
        TEXT_ON_LIGHT,
        use_book_style,
    )

__all__ = [
    "PALETTE",
    "PHONE_WIDTH",
    "TEXT_ON_DARK",
    "TEXT_ON_LIGHT",
    "attention_chart",
    "enable_charts",
    "line_chart",
    "loss_chart",
    "show",
    "use_book_style",
]
