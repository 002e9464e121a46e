"""The picture of *Training*: a batch as the model receives it."""

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.patches import Rectangle

from annotated_transformer.lab.figures import PALETTE, PHONE_WIDTH
from annotated_transformer.tokenizer import BOS_ID, EOS_ID, PAD_ID, Tokenizer
from annotated_transformer.training.batching import Batch

_MARKS = {PAD_ID: "", BOS_ID: "<bos>", EOS_ID: "<eos>"}


def batch_picture(batch: Batch, tokenizer: Tokenizer) -> None:
    """Draw what the encoder reads, the decoder reads and the decoder must write.

    A row for each sentence, a cell for each token; padding is hatched. Call
    `use_book_style` first.
    """
    _, panels = plt.subplots(3, 1, figsize=(PHONE_WIDTH, 4.6))
    blocks = {
        "encoder reads": batch.source,
        "decoder reads": batch.target_input,
        "decoder must write": batch.target_output,
    }
    width = max(ids.size(1) for ids in blocks.values())
    for axes, (title, ids) in zip(panels, blocks.items(), strict=True):
        edge = PALETTE["source" if ids is batch.source else "target"]
        for (row, column), token in np.ndenumerate(ids.numpy()):
            padding = token == PAD_ID
            axes.add_patch(
                Rectangle(
                    (column, -row),
                    0.92,
                    0.84,
                    fc="none",
                    ec=PALETTE["neutral"] if padding else edge,
                    hatch="////" if padding else None,
                )
            )
            text = _MARKS.get(token)
            if text is None:
                text = tokenizer.decode([int(token)]).strip()
            axes.text(column + 0.46, 0.42 - row, text, ha="center", va="center", size=8.5)
        axes.set(xlim=(-0.02, width - 0.06), ylim=(1 - len(ids) - 0.1, 1))
        axes.set_title(title, loc="left", size=10)
        axes.set_axis_off()
