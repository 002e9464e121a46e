"""Builds book/ablations.ipynb: python ablations.py ROOT. `??` marks what waits for the record."""
import json, sys
from pathlib import Path
ROOT = Path(sys.argv[1])
cells = []
def md(text):
    text = text.strip("\n")
    if cells and cells[-1]["cell_type"] == "markdown":
        cells[-1]["source"] = ("".join(cells[-1]["source"]) + "\n\n" + text).splitlines(keepends=True)
        return
    cells.append({"cell_type": "markdown", "metadata": {}, "source": text.splitlines(keepends=True)})
def code(text, caption=None, name=None, alt=None, tags=()):
    meta = {}
    if caption:
        meta["mystnb"] = {"figure": {"caption": caption, "name": name}}
        if alt:
            meta["mystnb"]["image"] = {"alt": alt}
    if tags:
        meta["tags"] = list(tags)
    cells.append({"cell_type": "code", "metadata": meta, "source": text.strip("\n").splitlines(keepends=True), "outputs": [], "execution_count": None})
HIDE = ("hide-input",)

md(r'''
# Table 3 in miniature

*Which of the paper's choices matter, and which matter only at its size?*

```{margin}
**Paper**: section 6.2, Table 3

**Code**: `config.py`, `analysis/table3.py`, `experiments/ablations.py`
```

## The question

Six layers, eight heads, vectors of 512 numbers, a dropout of 0.1: why these? The paper answers with an *ablation*. It changes one thing, trains the whole model again, and looks at what the change costs. Table 3 has nineteen such rows beside the base model, in five groups:

| rows | what is changed |
| --- | --- |
| (A) | number of heads, at equal cost |
| (B) | width of the keys |
| (C) | number of layers, and widths |
| (D) | dropout and label smoothing |
| (E) | learned positions |

Each row is one run. The table prints no spread, and half of its differences are of less than half a BLEU point. Would the signs come out the same with other random numbers, with other texts, and with a model a fiftieth of the size? We train every row of (A) to (E) three times.

## One thing at a time

To change one thing is harder than it sounds. More layers are also more parameters and more computation. More heads of the same width would be, too. So the paper keeps $h \, d_k = d_{\text{model}}$ in group (A): twice as many heads, each half as wide.

```{prf:theorem} Heads at equal cost
:label: thm-abl-heads

Let $h \, d_k = h \, d_v = d_{\text{model}}$. Then neither the number of parameters nor the number of multiplications in the matrix products depends on $h$.
```

```{admonition} Proof
:class: dropdown

The four matrices of an attention map between $d_{\text{model}}$ and $h \, d_k = d_{\text{model}}$ numbers, for all heads together. For $n$ queries and keys, the scores of a head take $n^2 d_k$ multiplications, those of all heads $n^2 h \, d_k = n^2 d_{\text{model}}$, and the weighted sums as many.
```

What does grow with $h$ is the number of weights, $h \, n^2$, and with it the time for the softmax. And what shrinks is what a head can compare: the scores of a head are inner products of vectors of $d_k$ numbers, so as a matrix they have at most the rank $d_k$ ([Multi-head attention](multi_head_attention.ipynb)). Group (B) shrinks $d_k$ alone.

## The formula

With one matrix for both embeddings and the output, $V$ subwords, $N$ layers in each half and no biases in the attention, the parameters are

```{math}
:label: eq-abl-parameters
\begin{aligned}
V d + N \bigl( & 3 \cdot 2 h \, d \, (d_k + d_v) \\
& + 2 \, (2 \, d \, d_{\text{ff}} + d_{\text{ff}} + d) \\
& + 5 \cdot 2 d \bigr) ,
\end{aligned}
```

where $d$ stands for $d_{\text{model}}$: three attentions and two feed-forward networks for each pair of layers, and five LayerNorms with a gain and a bias each.
''')
code(r'''
import math

import torch

from annotated_transformer import Transformer, TransformerConfig, show_source
from annotated_transformer.analysis.table3 import (
    PUBLISHED,
    Difference,
    differences,
)
from annotated_transformer.config import TABLE3
from annotated_transformer.figures import use_book_style
from annotated_transformer.figures.ablations import signs_picture
from annotated_transformer.records import record
from annotated_transformer.transformer import count_parameters

use_book_style()


def formula(c):
    d, ff = c.d_model, c.d_ff
    attention = 2 * c.n_heads * d * (c.d_k + c.d_v)
    network, norm = 2 * d * ff + ff + d, 2 * d
    return c.vocab_size * d + c.n_layers * (3 * attention + 2 * network + 5 * norm)


for row, (_, millions) in TABLE3.items():
    config = TransformerConfig.table3(row, vocab_size=37_000)
    total = count_parameters(config)["total"]
    if row not in ("big", "E: positions=learned"):
        assert total == formula(config)
    if millions:
        print(f"{row:15} {total / 1e6:4.0f}, the paper {millions}")
''')
md(r'''
The counts agree with the printed ones up to some millions. (?? where they do not; see *Where we differ*.)

## By hand

When is a row better than base? Let base have the perplexities 1.60, 1.58 and 1.59 from three seeds, and a row 1.66, 1.63 and 1.64. Seed by seed the row is 0.06, 0.05 and 0.05 higher. Base itself ranges over $1.60 - 1.58 = 0.02$. All three differences have one sign, and all are larger than that range, so we say that the row has a sign: it is worse. Had the row 1.61 from the first seed, its difference of 0.01 would lie within the range of base, and we would say nothing.
''')
code(r'''
row = Difference("a row", 0.1, (0.06, 0.05, 0.05), noise=0.02)
doubtful = Difference("another", 0.1, (0.01, 0.05, 0.05), noise=0.02)
print(row.verdict, "/", doubtful.verdict)
assert row.sign == 1
assert doubtful.sign == 0
show_source(Difference.sign.fget, Difference.verdict.fget, docstring=False)
''')
md(r'''
A rule can be fooled by chance. How often? Draw the values of a row and of base from the same normal distribution a hundred thousand times, and count how often the rule sees a sign where there is none.
''')
code(r'''
generator = torch.Generator().manual_seed(0)
base, other = torch.randn(2, 100_000, 3, generator=generator)
noise = base.amax(1) - base.amin(1)
apart = (other - base).abs().amin(1) > noise
same = (other - base).sign().sum(1).abs() == 3
share = (apart & same).double().mean()
print(f"{100 * share:.1f} %")
assert 0.02 < share < 0.04
''')
md(r'''
About three in a hundred. With eighteen rows and two measures, we must expect that one sign or so is chance.

## The experiment

Our base model has the paper's widths divided by four and its layers divided by two: $d_{\text{model}} = 128$, $d_{\text{ff}} = 512$, eight heads of 16, three layers in each half. It learns from 3,000 sentence pairs in 1,400 updates, about twenty times each, as the paper's models saw their texts about twenty times. All rows have the same sentences, the same tokenizer and as many updates. Perplexity is that of a subword, without label smoothing; translations are greedy, of 1,000 sentences for validation. The factor of the learning rate, 0.3, was chosen on base and one other row in trials that were not recorded. (??)
''')
code(r'''
measured = record("ablations")
perplexity = differences(measured, "perplexity")
bleu = differences(measured, "BLEU")
signs_picture(perplexity, "perplexity less base's")
''', caption="What each row changes in the perplexity, in the paper (left, one run) and here (right, a mark for each of three seeds). The grey band is the range of base. Circles: the paper's sign. Crosses: the other one. Dashes: it cannot be told. Right of the line is worse.", name="fig-abl-perplexity", alt="??", tags=HIDE)
code(r'''
for name, found in (("perplexity", perplexity), ("BLEU", bleu)):
    for verdict in ("same sign", "other sign", "cannot be told"):
        rows = [each.row for each in found if each.verdict == verdict]
        print(f"{name}, {verdict}:", *(row.split(": ")[1] for row in rows))
''')
md(r'''
?? (Group by group: (A) one head, four, many; (B) narrow keys; (C) depth: four layers after 1,400 updates; widths; (D) dropout and smoothing at little data; (E). What a difference of training length would do is not tested.)

### A row while you read

250 updates of one row, from the same seed as in the record. Its loss should be that of the record.
''')
code(r'''
?? # a run of base (26 s of one thread): its validation loss at update 250 against the record's curve
''', tags=("nbval-ignore-output",))
md(r'''
## What people get wrong

**"The ablation shows what the part does."** It shows what the model loses without it, when everything else has learned to live without it, at this size and after this training.

**"More heads are better."** At equal cost they are narrower. ??

**"A tenth of a BLEU point is a difference."** ?? (our range of base in BLEU; the paper's smallest differences.)

## What to keep

??

## Exercises

```{exercise} Equal parameters
:label: ex-abl-equal

Group (C) changes depth and widths one at a time, so its rows differ in size. By {eq}`eq-abl-parameters`, which $d_{\text{ff}}$ gives a model of two layers as many parameters as base has with six?
```

```{exercise} What a sign is worth
:label: ex-abl-two-seeds

How often does the rule see a sign by chance with two seeds, and with five? First guess, then change the cell.
```

```{exercise} Rank
:label: ex-abl-rank

A head has $d_k = 4$ and looks at a sentence of 20 words. How many of its 400 scores can be chosen freely?
```

```{exercise} Break it
:label: ex-abl-break

Give every row of a made-up record the same values as base, but other seeds. What does `differences` say, and why?
```
''')
for number, cell in enumerate(cells):
    cell["id"] = f"cell-{number:03d}"
out = ROOT / "book/ablations.ipynb"
notebook = {"cells": cells, "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}, "language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
out.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", "utf-8")
