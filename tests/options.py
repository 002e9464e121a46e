"""Every choice of every option of the model, from the code's own list: a new one is tested too."""

from annotated_transformer.config import OPTIONS

CHOICES = {
    f"{option}={choice}": {option: choice}
    for option, choices in OPTIONS.items()
    for choice in choices
}
"""What to override in a configuration, by a name for the test."""
