"""What brings the small model closer to a published score: one change of its recipe at a time.

    python -m experiments.sweep_multi30k --data-dir DIRECTORY

Wu et al. 2021 report 41.02 BLEU on test 2016 of Multi30k, and our seeds stay below it. Each row
changes one thing in the recipe `multi30k_tiny`: twice as many tokens in an update, as their two
processors have; the peak of the rate in their command; other smoothing; dropout on the weights of
attention and inside the feed-forward network too, which their command does not set. Everything
is judged by the validation split; no test split is read. One seed each: what a row differs by has
no spread of its own, so a row is a candidate for a longer run and no more. Chapter: *Scaling up*.
"""

import argparse

from torch import Tensor, nn
from torch.nn import functional as F

from annotated_transformer import Transformer, TransformerConfig, load_recipe
from annotated_transformer.attention import MultiHeadAttention
from annotated_transformer.layers import FeedForward
from annotated_transformer.training.data import read_split
from experiments.ablations import measure_on
from experiments.study import DATA_DIR, Option, use_data_dir
from experiments.variants import Comparison, Contest, Variant

RATE = 0.1
"""Of dropout on weights and inner layer: Tensor2Tensor's for the paper's base model."""
JUDGED = (
    "evaluation.beam_size=5",
    "evaluation.length_penalties=[0.6, 1.0, 1.4, 1.8]",
)


class DroppedAttention(nn.Module):
    """Attention whose weights pass dropout, by PyTorch's own function."""

    def forward(
        self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, attn_bias: None
    ) -> Tensor:
        """Attend, and in training leave out some of the weights."""
        rate = RATE if self.training else 0.0
        return F.scaled_dot_product_attention(query, key, value, mask, dropout_p=rate)


class DroppedActivation(nn.Module):
    """ReLU, then dropout."""

    def forward(self, x: Tensor) -> Tensor:
        """Activate, and in training leave out some of the units."""
        return F.dropout(F.relu(x), RATE, self.training)


def dropped(config: TransformerConfig) -> Transformer:
    """A model with dropout on the weights of attention and inside the feed-forward network."""
    model = Transformer(config)
    for module in list(model.modules()):
        if isinstance(module, MultiHeadAttention):
            module.attend = DroppedAttention()
        elif isinstance(module, FeedForward):
            module.activate = DroppedActivation()
    return model


CHANGES = {
    "recipe": [],
    "tokens": ["training.tokens_per_batch=8192"],
    "inside": [],
    "rate": ["training.learning_rate_scale=1.7889"],
    "smoothing": ["training.label_smoothing=0.2"],
}
"""By row, what it changes; the peak of "rate" is 0.005 (equation 3, with the recipe's warm-up)."""
MODELS = {"inside": dropped}
"""Rows whose model no recipe offers."""
ROWS = Option("--rows", [*CHANGES], "default all", selects=True, choices=CHANGES)


def contest(given: argparse.Namespace) -> Contest:
    """The rows that are asked for, each judged by the validation split."""
    use_data_dir(given)
    rows = [
        Variant(
            {"row": row},
            [*JUDGED, *CHANGES[row]],
            MODELS.get(row, Transformer),
            recipe="multi30k_tiny",
        )
        for row in given.rows
    ]
    return Contest(rows, measure_on(read_split(load_recipe("multi30k_tiny").corpus, "valid")))


STUDY = Comparison(
    "experiments.sweep_multi30k",
    __doc__,
    contest,
    DATA_DIR,
    ROWS,
    updates=2_400,
    splits=("valid",),
)


if __name__ == "__main__":
    STUDY.main()
