"""Pictures and charts: one module for each chapter, and what they share."""

from annotated_transformer.lab.source import book_libraries

with book_libraries():
    from annotated_transformer.lab.figures.charts import enable_charts, show
    from annotated_transformer.lab.figures.heat_map import attention_chart
    from annotated_transformer.lab.figures.lines import line_chart, loss_chart
    from annotated_transformer.lab.figures.log_axes import log_axis, set_log_axis
    from annotated_transformer.lab.figures.palette import (
        COLOUR_OF,
        PALETTE,
        PHONE_WIDTH,
        TEXT_ON_DARK,
        TEXT_ON_LIGHT,
        use_book_style,
    )

__all__ = [
    "COLOUR_OF",
    "PALETTE",
    "PHONE_WIDTH",
    "TEXT_ON_DARK",
    "TEXT_ON_LIGHT",
    "attention_chart",
    "enable_charts",
    "line_chart",
    "log_axis",
    "loss_chart",
    "set_log_axis",
    "show",
    "use_book_style",
]
