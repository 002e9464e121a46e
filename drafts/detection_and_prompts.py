"""Builds book/detection_and_prompts.ipynb: python build_prompts.py ROOT."""
import json, sys
from pathlib import Path
ROOT = Path(sys.argv[1])
cells = []
def md(text):
    text = text.strip("\n")
    if cells and cells[-1]["cell_type"] == "markdown":
        cells[-1]["source"] = ("".join(cells[-1]["source"]) + "\n\n" + text).splitlines(keepends=True)
        return
    cells.append({"cell_type": "markdown", "id": f"cell-{len(cells):03d}", "metadata": {}, "source": text.splitlines(keepends=True)})
def code(text, caption=None, name=None, alt=None, tags=()):
    meta = {}
    if caption:
        meta["mystnb"] = {"figure": {"caption": caption, "name": name}}
        if alt:
            meta["mystnb"]["image"] = {"alt": alt}
    if tags:
        meta["tags"] = list(tags)
    cells.append({"cell_type": "code", "id": f"cell-{len(cells):03d}", "metadata": meta, "source": text.strip("\n").splitlines(keepends=True), "outputs": [], "execution_count": None})
def have(name):
    return (ROOT / f"book/results/family_{name}.json").exists()
HIDE = ("hide-input",)
VARIES = ("nbval-ignore-output",)

md(r'''
# Detection and prompts

*A Transformer can answer with a set of objects, and with a mask for a click.*

```{margin}
**Papers**: DETR {cite:p}`carion2020end`, Deformable DETR {cite:p}`zhu2021deformable`, SAM {cite:p}`kirillov2023segment`

**Code**: `family/detr.py`, `family/deformable_detr.py`, `family/sam.py`
```

## The question

A translation has an order, and the decoder writes it word by word. The objects in an image have none: a dog, a ball and a child are the same answer in any order. And some questions are no texts: somebody clicks on an image and asks for what lies there. Can the layers of this book answer with a *set*, and can they understand a click?

Our images are scenes of real handwritten digits. A program puts them on a canvas. So it knows each digit's class, its *box* (the smallest rectangle around it) and its *mask* (the pixels where it is seen).

## Slots that claim objects

Give the decoder a fixed number of inputs, more than any image has objects. Each input is a learned vector, an *object query*, and we call what becomes of it a *slot*. All slots look at the image and at each other at once, without a causal mask, since no slot comes before another. In the end each slot names a class and a box, or says that it has no object. This is **DETR** ({numref}`fig-dp-slots`).

Which slot has to find which object? There is no first object, so nobody can say it in advance. Training waits for the answers, gives each object to one slot so that the total cost is least, and asks the other slots to say "no object".
''')
code(r'''
import itertools
import math

import torch

from annotated_transformer import show_source
from annotated_transformer.analysis.average_precision import (
    Detections,
    judged,
)
from annotated_transformer.attention import attention
from annotated_transformer.corpora.numbers import Numbers, clicks, numbers
from annotated_transformer.corpora.scenes import scenes
from annotated_transformer.family import (
    DETR,
    SAM,
    DeformableDETR,
    DeformableDETRConfig,
    DETRConfig,
    SAMConfig,
    fit,
)
from annotated_transformer.family.boxes import generalized_iou
from annotated_transformer.family.clicks import ClickEncoder
from annotated_transformer.family.deformable_attention import (
    DeformableAttention,
    DeformableEncoderLayer,
)
from annotated_transformer.family.losses import focal_loss
from annotated_transformer.family.maps import laid_out
from annotated_transformer.family.mask_decoder import TwoWayLayer
from annotated_transformer.family.objects import assign, match
from annotated_transformer.family.placed import (
    PlacedDecoderLayer,
    PlacedEncoderLayer,
)
from annotated_transformer.family.sam import mask_iou
from annotated_transformer.figures import line_chart, show, use_book_style
from annotated_transformer.figures.detection_and_prompts import (
    Clicked,
    Slot,
    detections_picture,
    looks_picture,
    masks_picture,
    pairs_picture,
    slots_picture,
)
from annotated_transformer.records import record
from annotated_transformer.source import show_difference
from annotated_transformer.transformer import DecoderLayer, EncoderLayer

use_book_style()
scene = scenes("test", 1, seed=SCENE_SEED)
gold, near = scene.boxes[0], torch.tensor([0.03, -0.02, 0.05, 0.04])
first, second = scene.classes[0].tolist()
slots_picture(
    scene.images[0, 0],
    gold,
    [
        Slot("no object", None, None),
        Slot(f"{first} (98 %)", gold[0] - near, 0),
        Slot("no object", None, None),
        Slot(f"{second} (91 %)", gold[1] + near, 1),
    ],
)
'''.replace("SCENE_SEED", "3"), caption="A scene of two digits, with gold boxes (dashed), and an invented answer of four slots. Two slots claim a digit each, with a class, a probability and a box (drawn through). The lines are the matching: each digit has one slot, and two slots have none.", name="fig-dp-slots", alt="A square image with two handwritten digits, each in a dashed gold box and a second box nearly at the same place. To its right four slots: the first and the third say no object; a line leads from one digit to the second slot, and from the other digit to the fourth.", tags=HIDE)
md(r'''
## The formula

Let an image have $m$ objects with classes $c_j$ and boxes $b_j$. Slot $i$ of $n \ge m$ answers with probabilities $p_i$ of all classes and of "no object", written $\varnothing$, and with a box $\hat b_i$. A *matching* $\sigma$ gives each object $j$ a slot $\sigma(j)$ of its own. The loss $\mathcal L_{\text{class}} + \mathcal L_{\text{box}}$ is found in these steps (DETR's paper, section 3.1):

```{math}
:label: eq-dp-matching
\begin{aligned}
C_{ij} &= -p_i(c_j) + D(\hat b_i, b_j)\\
\hat\sigma &= \arg\min_{\sigma} \sum_{j=1}^{m} C_{\sigma(j)\, j}\\
\mathcal L_{\text{class}} &= -\frac{1}{W} \sum_{i=1}^{n} w_{a_i} \log p_i(a_i)\\
\mathcal L_{\text{box}} &= \frac{1}{m} \sum_{j=1}^{m} D(\hat b_{\hat\sigma(j)}, b_j) .
\end{aligned}
```

Here $a_i$ is the class of the object that slot $i$ was given, or $\varnothing$. Most slots have to say that there is no object, so $w_\varnothing = 0.1$, and every class has the weight 1. $W$ is the sum of the weights $w_{a_i}$. (For a batch, both sums run over all its images.) The distance of boxes is

```{math}
:label: eq-dp-boxes
\begin{aligned}
D &= 5 \, \lVert \hat b - b \rVert_1 + 2 \, (1 - G)\\
G &= \frac{|A \cap B|}{U} - \frac{|H| - U}{|H|} ,
\end{aligned}
```

where $A$ and $B$ are the two boxes as areas, $U = |A \cup B|$, and $H$ is the smallest box around both. The first fraction is the *intersection over union*, IoU. It is 0 for all boxes that do not overlap, however far apart they are. The second fraction still tells far from near; the whole is the *generalized IoU* {cite:p}`rezatofighi2019generalized`. Both distances are there because of size: if everything is drawn half as large, the first halves, so that alone it would forgive errors on small objects, and $G$ stays as it is.

```{prf:theorem} The loss knows no order
:label: thm-dp-order

Give the objects in another order, or let the slots exchange their answers. If only one matching is the best, the loss stays as it was.
```

```{admonition} Proof
:class: dropdown

Let $\pi$ say the new number of each object, and $\rho$ the new number of each slot. To every old matching $\sigma$ belongs the new matching $\rho \circ \sigma \circ \pi^{-1}$, which pairs the same answers with the same objects at the same total cost, and every new matching is one of these. So the best of the new is the one that belongs to the best of the old. Each answer is asked for the same thing as before, and the sums of the loss have the same terms in another order.
```

There are $n!/(n-m)!$ matchings, for 100 slots and 10 objects more than $10^{19}$. Nobody has to try them all: the Hungarian method {cite:p}`kuhn1955hungarian` finds the best in a number of steps that is bounded by a power of $n$ {cite:p}`munkres1957algorithms`; we call SciPy's routine. No gradient passes through the matching. It only decides who is asked for what. {cite:t}`stewart2016end` had trained a recurrent network with such a loss before.

## By hand

Three slots answer for three objects, A, B and C, at these costs:

| | A | B | C |
| --- | --- | --- | --- |
| slot 1 | 1 | 2 | 4 |
| slot 2 | 2 | 6 | 5 |
| slot 3 | 5 | 4 | 3 |

Slot 1 is the cheapest for A and for B. Whoever always takes the cheapest pair that is free begins with 1–A for 1, goes on with 3–C for 3, and is left with 2–B for 6: a total of 10. The best matching gives slot 1 to B and slot 2 to A: $2 + 2 + 3 = 7$. The cell tries all six.
''')
code(r'''
cost = torch.tensor([[1.0, 2, 4], [2, 6, 5], [5, 4, 3]])
totals = {
    slots: sum(cost[slot, j].item() for j, slot in enumerate(slots))
    for slots in itertools.permutations(range(3))
}
best = min(totals, key=totals.get)
print("slots of A, B, C:", [1 + slot for slot in best], "cost", totals[best])
assert match(cost).tolist() == list(best)
assert sorted(totals.values()) == [7, 10, 10, 10, 12, 15]
''')
md(r'''
Now three pairs of squares of side 2 ({numref}`fig-dp-giou`). In the first pair, one square is moved by 1 to the right and by 1 down. The intersection is 1 and the union 7; the smallest box around both has the area 9, and 2 of it are covered by neither. So $G = 1/7 - 2/9 = -0.08$. In the other two pairs the squares lie 2 and 4 apart, and the IoU is 0 for both. But $G = -4/12 = -0.33$ in the one, and $-8/16 = -0.5$ in the other.
''')
code(r'''
square = torch.tensor([1.0, 1, 2, 2])  # centre x and y, width, height
moves = [(1, 1), (4, 0), (6, 0)]
others = [square + torch.tensor([x, y, 0, 0]) for x, y in moves]
values = [generalized_iou(square, other).item() for other in others]
pairs_picture(
    [
        (f"G = {value:.2f}".replace("-", "\N{MINUS SIGN}"), square, other)
        for value, other in zip(values, others, strict=True)
    ]
)
wanted = torch.tensor([1 / 7 - 2 / 9, -4 / 12, -8 / 16])
assert torch.allclose(torch.tensor(values), wanted)
assert all(
    abs(generalized_iou(square / 2, other / 2).item() - value) < 1e-6
    for value, other in zip(values, others, strict=True)
)
''', caption="Three pairs of squares, the smallest box around each pair (dashed), and the part of it that neither covers (hatched). The generalized IoU falls as the squares move apart.", name="fig-dp-giou", alt="Three panels. Two overlapping squares with two small hatched corners, G is minus 0.08. Two squares with a hatched square between them, G is minus 0.33. Two squares with two hatched squares between them, G is minus 0.50.")
md(r'''
## Why nothing is said twice

Many detectors before DETR ask several predictions for the same object: all that overlap it enough {cite:p}`ren2015faster`. Afterwards they need *non-maximum suppression* (NMS): of detections of one class that overlap much, only the surest stays. With a matching one slot alone is asked for an object, and then it costs something to say it twice:

```{prf:theorem} Who pays for the same answer given twice
:label: thm-dp-twice

Let $k \ge 2$ slots give the same probabilities $p$, and let $c$ be the class of an object. Losses are meant before the division by $W$.

1. If each of them is asked for the object, the sum of their class losses goes to 0 as $p(c) \to 1$.
2. If one of them is asked for it and the others, with weight $w$, for no object, the sum is least at $p(c) = 1 / N$ and $p(\varnothing) = 1 - 1/N$, where $N = 1 + w \, (k - 1)$, and there it is more than 0. For slots whose answers differ, it can be as close to 0 as one likes.
```

```{admonition} Proof
:class: dropdown

The first sum is $-k \log p(c)$. The second is $-\log p(c) - w \, (k - 1) \log p(\varnothing)$, which is $N$ times the cross-entropy of $p$ under the distribution that gives $c$ the probability $1/N$ and $\varnothing$ the rest. A cross-entropy is least if $p$ is that distribution. The least value is its entropy, which is more than 0, since neither probability is 0 or 1. Slots that differ may each be as sure as they like of what they are asked for.
```

So under a matching it pays to be different, and under the other rule it does not. But a matching does not silence twins: with DETR's weight of 0.1 two equal slots do best if both name the object with a probability of $1 / 1.1 = 0.91$. For the same reason DETR's probabilities are no frequencies. Where objects are as common as their absence, 0.91 is the best answer.

How can a slot know that another one has claimed an object? It looks at the other slots, in the decoder's self-attention.

## DETR: positions where vectors are compared

A small convolutional network, the *backbone*, first turns the image into a map of vectors: a ResNet-50 {cite:p}`he2016deep` in the paper, two or three convolutions in this chapter. The encoder reads the vectors of the map in rows, like a sentence. A position is half sinusoids of the row and half sinusoids of the column. And it is not added once, before the first layer. DETR adds it in every layer, to queries and keys, and not to values:
''')
code(r'''
show_difference(EncoderLayer.forward, PlacedEncoderLayer.forward)
show_difference(DecoderLayer.forward, PlacedDecoderLayer.forward)
''')
md(r'''
What is compared knows where it lies, and what is taken along does not. So a key and its value are made from different vectors, `memory + place` and `memory`. For the slots, the object queries play the part of positions, and what the decoder begins with is zero. Here is the whole way from images to answers, and the loss:
''')
code(r'''
show_source(DETR.each_layer, DETR.set_loss, assign, docstring=False)
''')
def experiment_detr():
    md(r'''
### Is the matching needed?

We train four DETRs on 5,000 scenes of up to three digits, with eight slots, for 2,500 updates of 32 scenes, each from three seeds. Of two learning rates each has the one that does better, after NMS, on scenes for validation. Their convolutions have learned to name single digits before, as those of the paper had learned from photographs. The first is DETR as above. The second has no competition: each slot is asked for the object that is nearest to it by the costs $C_{ij}$, so that every slot speaks ("many to one"). The third uses the rule of older detectors: a slot is asked for the nearest object if their IoU is 0.5 or more, the slot nearest to an object in any case, and all others learn to be silent ("overlap"). There, each prediction has a fixed place in the image; here, slots move while they learn. The fourth is DETR with its positions added once, before the first layer of the encoder and of the decoder ("positions at entry").

The measure is *average precision* {cite:p}`lin2014microsoft`. Sort all detections of a class by their confidence. Whoever stops after some of them has a *precision*, the part of these that is right, and a *recall*, the part of the objects that is found. The mean precision over all recalls, and then over the classes, is 100 % if all objects are found before the first false alarm. A detection is right if class and object fit, the IoU is 0.5 or more, and no surer detection has the object; so a second claim of an object counts as an error.
''')
    code(r'''
measured = record("family_detr")
precision = [
    {"trained by": e["model"], "seed": e["seed"], "AP50": e["value"]}
    | {"NMS": "yes" if e["suppression"] else "no"}
    for e in measured.entries("scores", metric="AP50")
]
measured.table(
    "trained by", "NMS", AP50=".1f", of=precision, across="seed"
)
''')
    code(r'''
wrong = {
    (e["model"], e["metric"], e["seed"]): e["value"]
    for e in measured.entries("scores", suppression=False)
}
rows = [
    {"of": name, "seed": seed, "on 100": wrong[name, kind, seed]}
    | {"errors": kind}
    for name in dict.fromkeys(name for name, _, _ in wrong)
    for kind in ("duplicates", "false alarms")
    for seed in measured["seed"]
]
measured.table("of", "errors", **{"on 100": ".0f"}, of=rows, across="seed")
''', tags=HIDE)
    code(r'''
ap = {}
for row in precision:
    key = row["trained by"], row["NMS"]
    ap.setdefault(key, []).append(row["AP50"])
raw, kept = ap["set matching", "no"], ap["set matching", "yes"]
assert min(raw) > 3 * max(ap["overlap", "no"])
assert min(ap["overlap", "no"]) > max(ap["many to one", "no"])
ahead = [a - b for a, b in zip(kept, ap["overlap", "yes"], strict=True)]
assert 0 < min(ahead) < 0.5
assert min(ap["overlap", "yes"]) > max(ap["many to one", "yes"]) + 10
gained = [b - a for a, b in zip(raw, kept, strict=True)]
print(f"by suppression: {min(gained):.0f} to {max(gained):.0f} points more")
entry = ap["positions at entry", "no"]
assert min(raw) < min(entry)
assert max(entry) < max(raw)
assert min(ap["positions at entry", "yes"]) > max(kept)
twice = [wrong["set matching", "duplicates", seed] for seed in (1, 2, 3)]
others = [
    wrong[name, "duplicates", seed]
    for name in ("overlap", "many to one")
    for seed in (1, 2, 3)
]
assert min(others) > 200
assert max(twice) < 50
''', tags=HIDE)
    md(r'''
Where answers are taken as they are, the matching decides. With it average precision is 43 to 51, with the rule of overlap 12 to 14, and with many to one 6. Among the detections with a confidence of one half or more, the latter two have over 200 duplicates on 100 objects. Suppression is made for this. After it the rule of overlap reaches 47 to 53, and set matching 53 to 58; it is ahead from each seed, once by less than half a point. Many to one stays at 32 to 35: there an object that is no slot's nearest is learned by none.

But "DETR needs no suppression" does not hold here. It gains 7 to 11 points, and without it there are 28 to 43 duplicates on 100 objects. The weight of 0.1 has a part in these: a slot that says "object" with a probability of one half is, if it has learned well, right in one case of eleven. It can hardly explain the gain, since average precision asks for the order of the confidences alone. In the paper (figure 4) suppression helps after the first layer of the decoder, and after the last of six it helps no more. Ours has two layers and a short training.

And positions at entry do no worse. As they are, their 48 to 50 lie within the range of DETR; after suppression they have 59 to 62, more than DETR from any seed. The paper reports a loss of a point or so (table 3). Here an image is a map of nine places, and a position has to last for two layers only. Whether that is the reason was not tested.
''')
if have('detr'):
    experiment_detr()
md(r'''
## Deformable DETR: a few looks in place of all

Attention on a map of $n$ places compares $n^2$ pairs; on a map of 100 by 100 these are a hundred million. **Deformable DETR** compares none. From its vector $q$ alone, a query computes where each head $h$ looks, $K$ times, and what each look weighs (section 4.1 of its paper):

```{math}
:label: eq-dp-deformable
\begin{aligned}
\text{output} &= \sum_{h} W_h^O \, z_h\\
z_h &= \sum_{k=1}^{K} \alpha_{hk} \; v_h(r + \Delta_{hk}) .
\end{aligned}
```

The offsets $\Delta_{hk}$ are an affine map of $q$, and the weights $\alpha_{hk}$ are the softmax, over $k$, of another. The values $v_h$ are projected as always; between four places they are interpolated linearly in both directions. The point $r$ is the query's own place in the encoder, and in the decoder a point that the object query names. There is no key. Projections aside, the cost grows like $n K d$ instead of $n^2 d$, where $d$ is the width of the model.
''')
code(r'''
show_difference(PlacedEncoderLayer.forward, DeformableEncoderLayer.forward)
show_source(DeformableAttention.forward, docstring=False)
''')
code(r'''
maps = laid_out([torch.ones(1, 9, 9, dtype=torch.bool)], torch.float32)
star = DeformableAttention(32, (4, 1, 4))  # heads, maps, looks at each
steps = star.offsets.bias.detach().view(-1, 2)
looks_picture(
    9,
    (4.5, 4.5),
    [
        ("attention", 9 * maps.centres[0]),
        ("deformable attention", 4.5 + steps),
    ],
)
assert len(maps.centres[0]) == 81
assert len(steps) == 16
''', caption="Where the place in the middle of a 9 by 9 map looks. A head of attention compares it with all 81 places. With deformable attention, each of four heads looks four times. Before training every query looks like this; then the offsets depend on the query.", name="fig-dp-looks", alt="Two grids of 9 by 9 places. On the left, lines from the middle place to all 81. On the right, lines to 16 places that form a star with four arms.", tags=HIDE)
md(r'''
It is trained as DETR is, up to one thing: no class is "no object". A slot answers yes or no for each class, with the *focal loss* {cite:p}`lin2017focal`. It multiplies the cross-entropy by the square of the error, $(1-p)^2$ for a yes and $p^2$ for a no, so that the many easy answers count little. In the full model the looks are spread over maps of several sizes.

Let us train one with a single map, on 1,000 scenes of at most two digits, which it has to find and not to name. We count what it says with a confidence of one half or more on 100 scenes of digits that it never saw. A detection is right if its box and that of a digit have an IoU of 0.5 or more.
''')
code(r'''
def scene_batches(data, updates, size=16):
    draw = torch.Generator().manual_seed(0)
    for _ in range(updates):
        rows = torch.randint(len(data.images), (size,), generator=draw)
        boxes = [data.boxes[i] for i in rows]
        yield data.images[rows], boxes, [torch.zeros(len(b)).long() for b in boxes]
''', tags=HIDE)
code(r'''
few = {"side": 16, "max_objects": 2}
learn, unseen = scenes("train", 1_000, **few), scenes("test", 100, **few)
sizes = {"n_layers": 1, "d_model": 64, "d_ff": 128, "n_heads": 4}
small = sizes | {"channels": 1, "dropout": 0.0, "widths": (32, 64), "depths": ()}
small |= {"n_classes": 1, "n_queries": 4}
torch.manual_seed(0)
detector = DeformableDETR(DeformableDETRConfig(**small, n_maps=1, n_levels=1))
fit(detector, scene_batches(learn, 500), rate=2e-3, warmup=50, until=500)
with torch.inference_mode():
    logits, boxes = detector(unseen.images)
''')
code(r'''
said = [
    Detections(box, torch.zeros(len(box)).long(), sure)
    for box, sure in zip(boxes, logits[..., 0].sigmoid(), strict=True)
]
said = [Detections(*(x[d.confidence >= 0.5] for x in d)) for d in said]
verdicts = [
    judged(d, gold, torch.zeros(len(gold)).long())
    for d, gold in zip(said, unseen.boxes, strict=True)
]
n_objects = sum(map(len, unseen.boxes))
n_found = sum(verdict.right.sum().item() for verdict in verdicts)
n_again = sum(verdict.again.sum().item() for verdict in verdicts)
print(f"{n_found} of {n_objects} found, {n_again} again, ", end="")
n_said = sum(len(d.boxes) for d in said)
print(f"{n_said - n_found - n_again} false alarms")
detections_picture(
    unseen.images[:5], unseen.boxes[:5], [d.boxes for d in said[:5]]
)
assert n_found > n_objects / 2
''', caption="The first five of these scenes, with gold boxes (dashed) and what the slots say with a confidence of one half or more (drawn through).", name="fig-dp-found", alt="Five small scenes with one or two handwritten digits each; found boxes lie close to most dashed gold boxes.", tags=VARIES)
def experiment_deformable_detr():
    md(r'''
### How fast does it learn?

{cite:t}`zhu2021deformable` report that Deformable DETR needs a tenth of DETR's epochs. Deformable DETR differs from DETR in more than its attention, so there are two models between them: DETR with the focal loss and its yes or no for each class, and Deformable DETR with one map, the one that DETR has. The data are those of the last experiment. Each gets two learning rates, and the better one on scenes for validation is shown.
''')
    code(r'''
measured = record("family_deformable_detr")
points = [
    {"updates": e["step"], "AP50 (%)": e["AP50"], "seed": e["seed"]}
    | {"model": e["model"]}
    for e in measured["curve"]
]
show(
    line_chart(points, x="updates", y="AP50 (%)", by="model", runs="seed"),
    alt="Average precision by updates, three lines for each of four models. ??",
)
''', caption="Average precision on scenes for validation during training, a thin line for each of three seeds. ??", name="fig-dp-curves", tags=HIDE)
    code(r'''
ap, cost = (
    {
        model: measured.scores(metric, model=model)
        for model in measured["settings"]["parameters"]
    }
    for metric in ("AP50", "milliseconds")
)
for model, values in ap.items():
    print(f"{model:20}", *(f"{value:3.0f}" for value in values))
''')
    md(r'''
The numbers are average precision on the test scenes, without suppression, by seed. ?? (Say: DETR against Deformable with one map and with two, beyond the spread or not; what the focal loss alone does to DETR; an update's cost from `cost`. The paper's saving is in epochs on maps of thousands of places; ours has nine, so that attention has little to be spared. Not: why.)
''')
if have('deformable_detr'):
    experiment_deformable_detr()
md(r'''
## SAM: ask by clicking

**SAM** splits the work in two. An image encoder, the ViT of [Vision](vision.ipynb), reads the image once. A light decoder then answers *prompts* about it, for us clicks, as often as one likes. (SAM also takes boxes and rough masks; ours does not, and its encoder lacks the windows and relative positions.)

A click has to become a vector. Let $u \in [-1, 1]^2$ be its place and $B$ a matrix of two columns, whose numbers are drawn at random once and never trained {cite:p}`tancik2020fourier`. The click's vector is $\gamma(u) + e$, where

```{math}
:label: eq-dp-click
\gamma(u) = \bigl(\sin(2 \pi B u), \; \cos(2 \pi B u)\bigr)
```

and $e$ is one of two learned vectors, which says whether the click is on the object or beside it. These are sinusoids as in [Positional encoding](positional_encoding.ipynb), but in random directions. The places of the map get $\gamma$ with the same $B$.

The decoder's tokens are the click and learned tokens, one for each mask and one for scores. Its layer is DETR's, in which positions are added to queries and keys, with a fourth sublayer: the image looks back at the tokens.
''')
code(r'''
show_source(TwoWayLayer.forward, docstring=False)
''')
md(r'''
At the end the map becomes four times as fine in both directions. A small network turns each mask token into a filter, and the logit of a pixel is the inner product of the filter and the vector there. From the score token comes a guess at how well each mask fits.

### A click may mean several things

Somebody clicks on a wheel. Is the wheel meant, or the car? Training shows the same click with the one answer and with the other.

```{prf:theorem} One answer to a click with several meanings
:label: thm-dp-meanings

Let a click mean the mask $g^1, \dots, g^k$, which are 0 or 1 at each pixel and differ from each other, with probabilities $\pi_1, \dots, \pi_k > 0$.

1. Among all single answers with values in $[0, 1]$, the expected squared error is least for the mean $\bar g = \sum_j \pi_j g^j$ alone. The same holds for a sum of any strictly proper loss over the pixels. Where two meanings differ, $0 < \bar g < 1$: the mean is none of the meanings.
2. If $k$ answers are given and the best one alone is charged, the expected squared error can be 0.
```

```{admonition} Proof
:class: dropdown

At one pixel let $q = \bar g$ be the probability of a 1. The expected squared error of the answer $x$ there is $(x - q)^2 + q \, (1 - q)$, which is least for $x = q$ alone. A loss is *strictly proper* if its expectation is least for the true probability alone {cite:p}`gneiting2007strictly`; cross-entropy is another one. At a pixel where two meanings differ, some of the $\pi_j$ belong to a 1 and some to a 0, so $0 < q < 1$, whereas all meanings are 0 or 1. For the second part let the answers be the meanings: whichever is meant, one answer equals it.
```

Cutting the mean at one half need not help. If a click means one of three masks that do not overlap, each with probability 1/3, then no pixel is over one half, and the mask is empty.

So SAM gives three answers to a click, and its loss charges the best one alone, as {cite:t}`guzman2012multiple` had proposed. Its loss of a mask is 20 times the focal loss plus the *dice loss* {cite:p}`milletari2016vnet`, $1 - 2 |A \cap B| / (|A| + |B|)$ with probabilities in the place of pixels. The first is not strictly proper, and the second is no sum over pixels, so SAM's own loss is beyond the theorem; {ref}`ex-dp-focal` looks at the focal loss. Another term teaches the scores: the squared difference from the true IoU.
''')
code(r'''
show_source(SAM.loss, SAM.of_answers, docstring=False)
''')
md(r'''
Let us build the ambiguity into our data. Each scene has a number of two digits and a digit that stands alone. A click on a digit of the number means that digit or the whole number, each with probability one half; nothing in the image says which.
''')
code(r'''
def asked(part, draw):
    """Images, a click on each digit, its label, and the mask that it means."""
    at = clicks(part.digits, draw)[:, :, None]
    whole = torch.rand(len(at), 3, 1, 1, generator=draw) < 0.5
    whole[:, 2] = False  # the third digit stands alone
    meant = torch.where(whole, part.number[:, None], part.digits)
    return part.images, at, torch.ones(at.shape[:3]).long(), meant


def click_batches(data, updates, size=16):
    draw = torch.Generator().manual_seed(0)
    for _ in range(updates):
        rows = torch.randint(len(data.images), (size,), generator=draw)
        yield asked(Numbers(*(x[rows] for x in data)), draw)
''')
code(r'''
learn, unseen = (
    numbers(split, n, side=16) for split, n in (("train", 1_000), ("test", 100))
)
small = {"channels": 1, "side": 16, "patch": 4, "width": 32, "score_ff": 32}
torch.manual_seed(0)
sam = SAM(SAMConfig(**sizes, **small, decoder_ff=64, decoder_heads=4))
fit(sam, click_batches(learn, 700), rate=4e-3, warmup=50, until=700)
images, at, labels, _ = asked(unseen, torch.Generator().manual_seed(1))
with torch.inference_mode():
    masks, scores = sam.decode(sam.encode(images), at, labels)
digit = mask_iou(masks[:, :2], unseen.digits[:, :2]).mean((0, 1))
number = mask_iou(
    masks[:, :2], unseen.number[:, None].expand(-1, 2, -1, -1)
).mean((0, 1))
for name, fits in (("digit", digit), ("number", number)):
    print(f"IoU with the {name:6}", *(f"{100 * x:3.0f} %" for x in fits))
assert digit.max() > 0.6
assert number.max() > 0.6
assert digit.argmax() != number.argmax()
''', tags=VARIES)
code(r'''
masks_picture(
    [
        Clicked(
            images[i, 0],
            tuple(at[i, j, 0].tolist()),
            masks[i, j] > 0,
            [f"score {x:.2f}" for x in scores[i, j]],
        )
        for i, j in ((0, 0), (0, 1), (0, 2))
    ]
)
assert (masks[:, 2] > 0).flatten(1).any(1).float().mean() > 0.9
assert scores[:, :2].amax(-1).mean() < scores[:, 2].amax(-1).mean()
''', caption="Three clicks (crosses) on one image, which was encoded once, and the three masks that answer each, with the scores that the model itself gives them. The first two clicks are on digits of a number, the third on the digit alone.", name="fig-dp-masks", alt="Three rows of four panels: the image with a cross on a digit, then three masks in blue over the image. For clicks on a digit of the number some masks cover the digit and some the number.", tags=VARIES)
md(r'''
In this run one of the masks has learned to cover the digit, and another the number. The scores know that something is open: a click on the number has lower ones than a click on the digit that stands alone.

### Which mask counts?

There is a trap in scoring such a model. Its best mask, chosen by somebody who knows the truth, is right more often merely because there are three: three fair coins show heads at least once in seven cases of eight. A user of one answer gets the mask that the model itself scores highest. And for such an answer no number of masks helps against an ambiguous click:

```{prf:theorem} The most that one mask can have
:label: thm-dp-one-mask

Let a click mean the digit or the number, each with probability one half, and let the digit be the part $s$ of the number's pixels. Then no mask has an expected IoU over $(1 + s) / 2$. The digit and the number both have it.
```

```{admonition} Proof
:class: dropdown

Let the digit have $D$ pixels and the number $N$, and let a mask have $a$ pixels of the digit, $b$ of the rest of the number, and $e$ others. Its IoU with the digit is $a / (D + b + e)$, with the number $(a + b) / (N + e)$. Both fall or stay as $e$ grows, and rise or stay as $a$ grows, so let $e = 0$ and $a = D$. With $t = D + b$, the sum is $D / t + t / N$, a convex function of $t$ between $D$ and $N$, so it is largest at an end. At both ends it is $1 + D / N = 1 + s$.
```
''')
md(r'''
All 64 masks of six pixels, for a digit of two pixels in a number of five; only the two meanings reach the bound:
''')
code(r'''
def ious(masks, meaning):
    return (masks & meaning).sum(-1) / (masks | meaning).sum(-1)


every = torch.cartesian_prod(*[torch.tensor([False, True])] * 6)
part, whole = torch.arange(6) < 2, torch.arange(6) < 5
expected = (ious(every, part) + ious(every, whole)) / 2
print(every[expected == expected.max()].int().tolist())
assert torch.isclose(expected.max(), torch.tensor((1 + 2 / 5) / 2))
''')
def experiment_sam():
    md(r'''
Clicks on either digit of a number have such a bound, and their mean is 75 %, since the two parts sum to 1.

We train SAM with one answer to a click and with three, from three seeds, on scenes of 24 pixels. Charging the best answer alone has a danger: the mask that is a little better at first may take all clicks, and the others never learn. So a third contestant, "relaxed", gives a tenth of the loss to the mean of its three answers {cite:p}`rupprecht2017learning`. Each answer is compared with both meanings of a click on the number: *drawn* is the mean of the two, what is to be expected, and *nearer* the higher of the two, which is high for whoever gives a whole answer to one of them. *Preferred* is the mask with the highest score of the model itself, *best* the one that fits best, chosen with the truth in hand.
''')
    code(r'''
measured = record("family_sam")
ways = {
    "one mask": ("one mask", "preferred"),
    "three: preferred": ("three masks", "preferred"),
    "three: best": ("three masks", "best"),
    "relaxed: preferred": ("three masks, relaxed", "preferred"),
    "relaxed: best": ("three masks, relaxed", "best"),
}
overlap = {
    (way, meaning): measured.scores(
        "IoU", model=model, mask=mask, meaning=meaning
    )
    for way, (model, mask) in ways.items()
    for meaning in ("digit", "number", "drawn", "nearer", "alone")
}
meanings = ("digit", "number", "drawn", "nearer", "alone")
rows = [
    {"mask": way}
    | {m: "{:.0f}–{:.0f}".format(*sorted(overlap[way, m])[::2]) for m in meanings}
    for way in ways
]
measured.table("mask", *meanings, of=rows)
''', tags=HIDE)
    code(r'''
answered = [way for way in ways if "best" not in way]
assert max(max(overlap[way, "drawn"]) for way in answered) <= 75
one, three = overlap["one mask", "nearer"], overlap["three: preferred", "nearer"]
print("nearer, one mask:", *(f"{x:.0f}" for x in one))
print("nearer, preferred of three:", *(f"{x:.0f}" for x in three))
for meaning in ("digit", "number"):
    best = overlap["three: best", meaning]
    assert min(best) > max(overlap["one mask", meaning])
''')
    md(r'''
?? One mask settles for the digit: its IoU with the digit is ??, with the number ??. So what is cut at one half is not the mean, in which the other digit's pixels would be undecided; by the focal loss they fall below one half ({ref}`ex-dp-focal`). Three masks hold both meanings: the best of them has ?? with the digit and ?? with the number. And the one that the model prefers is a whole answer to one of the two: its IoU with the nearer meaning is ??, against ?? for one mask. But as an answer to what was drawn it has ??, against ??; both are under the 75 % that no single answer can exceed. So the gain of three masks is a clean answer and a choice, not a better guess. The best of three, ??, would have hidden that. ?? (relaxed against three; clear clicks.)
''')
if have('sam'):
    experiment_sam()
md(r'''
## Checks

The loss does not notice another order of the objects ({prf:ref}`thm-dp-order`), and permuted object queries give permuted answers. Deformable attention whose offsets are whole places is attention that may see these places alone, if the scores do not depend on what stands there. And what SAM answers to a click does not depend on the other clicks.
''')
code(r'''
torch.manual_seed(0)
torch.set_default_dtype(torch.float64)
detr = DETR(DETRConfig(**sizes, widths=(8, 8), depths=(), dropout=0.0)).eval()
image, gold = torch.rand(1, 3, 24, 24), torch.rand(3, 4) / 2 + 0.1
kinds, turned = torch.tensor([1, 4, 4]), torch.tensor([2, 0, 1])
loss = detr.loss(image, [gold], [kinds])
assert torch.isclose(loss, detr.loss(image, [gold[turned]], [kinds[turned]]))
before, order = detr(image), torch.randperm(100)
detr.queries.data = detr.queries[order]
for old, new in zip(before, detr(image), strict=True):
    assert torch.allclose(old[:, order], new)
torch.set_default_dtype(torch.float32)
together = sam(images[:1], at[:1], labels[:1])[0]
alone = sam(images[:1], at[:1, 1:2], labels[:1, 1:2])[0]
assert torch.allclose(together[:, 1:2], alone, atol=1e-4)
''')
code(r'''
side, around = 5, torch.tensor([[-1, 0], [0, 0], [1, 1]])  # x, y: three looks
one = DeformableAttention(8, (1, 1, 3))
one.offsets.bias.data = around.flatten().float()
one.weights.bias.data = torch.randn(3)
maps = laid_out([torch.ones(1, side, side, dtype=torch.bool)], torch.float32)
x = torch.randn(1, side**2, 8)
output = one(x, maps.centres, x, maps)[0]
column, row = torch.meshgrid(*[torch.arange(1, 4)] * 2, indexing="xy")
inner = (side * row + column).flatten()  # no look leaves the map
keys = inner[:, None] + around @ torch.tensor([1, side])
scores = torch.zeros(9, 25).scatter(1, keys, one.weights.bias.expand(9, -1))
may_see = torch.zeros(9, 25).bool().scatter(1, keys, True)
queries = 3 * torch.eye(9)  # so that query times key / 3 is the score
plain, _ = attention(queries, scores.mT, one.w_value(x[0]), may_see)
assert torch.allclose(output[inner], one.w_output(plain), atol=1e-5)
''')
md(r'''
## Published weights

```{margin}
**Tests**: `tests/family/test_detr.py`, `tests/family/test_deformable_detr.py`, `tests/family/test_sam.py`
```

With copied weights all three compute what the implementations in Hugging Face's `transformers` compute, forward and gradient, in float64 to $10^{-10}$; for SAM, those parts that ours has. `DETR.from_pretrained(directory)` reads the files that this library saves. By its form the public checkpoint *facebook/detr-resnet-50* should fit; it was **not run here**. Deformable DETR and SAM were compared on copied weights alone, and no published files are read; those of SAM have windows and relative positions in the encoder, which ours lacks. What each adds to the paper's blocks, counted in statements of code without checks:

| | statements | in the files |
| --- | --- | --- |
| DETR | 196 | `detr`, `backbone`, `resnet`, `placed`, `objects`, `boxes`, `heads` |
| DeformableDETR | 184 | `deformable_detr`, `deformable_attention`, `maps`, `placed`, `losses`; DETR's are not counted again |
| SAM | 163 | `sam`, `image_encoder`, `mask_decoder`, `clicks`, `losses`, `heads` |

## What people get wrong

**"The key and the value are made from the same vectors."** In DETR the position is in the key and not in the value.

**"A decoder writes one token after another."** The causal mask and the feeding back of its own words make it do so. DETR's decoder has neither, and all its answers come at once.

**"Attention among the slots prevents duplicates."** It lets a slot know what others claim. Whether it pays to be different is up to the loss ({prf:ref}`thm-dp-twice`).

**"Deformable attention is attention with few keys."** It has no keys. How much a look weighs is decided before anything is seen there.

**"SAM knows what a click means."** A click with two meanings has two right answers, and no score can tell which was meant. A second click can.

## What to keep

A set is answered by slots, all at once, and trained by a loss that first finds the cheapest matching; then no order exists, and saying a thing twice costs something. DETR has its positions where vectors are compared, in queries and keys, and its values do without. A query can also say by itself where to look, and then the cost no longer grows with the square of the image. A prompt is one more token. If a question has several right answers, the mean of them is none; several answers, of which the best is charged, can be right, but then somebody has to choose, and whoever measures has to say who chose.

## Exercises

```{exercise} Greedy matching
:label: ex-dp-greedy

Take the cheapest pair, then the cheapest of what is left, and so on. Find costs for two slots and two objects for which this costs a hundred times as much as the best matching.
```

```{solution-start} ex-dp-greedy
:class: dropdown
```

The first pair is tempting, and what it leaves is expensive. Here greedy pays $0 + 200$ and the best $1 + 1$.
''')
code(r'''
cost = torch.tensor([[0.0, 1], [1, 200]])
slots = match(cost).tolist()
greedy = cost.trace()
assert slots == [1, 0]
assert greedy == 100 * cost[slots, [0, 1]].sum()
''')
md(r'''
```{solution-end}
```

```{exercise} How far does a click reach?
:label: ex-dp-click

Let the numbers in $B$ be drawn from the standard normal distribution, as SAM does. What is the inner product of $\gamma(u)$ and $\gamma(u')$ on average over $B$? How alike are two clicks that are a twentieth of the image apart, and a quarter?
```

```{solution-start} ex-dp-click
:class: dropdown
```

Since $\cos a \cos b + \sin a \sin b = \cos(a - b)$, the inner product is a sum of $\cos(2 \pi \, \beta \cdot (u - u'))$ over the rows $\beta$ of $B$. With $\delta = \lVert u - u' \rVert$, the number $\beta \cdot (u - u')$ is normal with variance $\delta^2$, and the mean of its cosine is $e^{-2 \pi^2 \delta^2}$. The image is 2 wide in these units, so a twentieth of it is $\delta = 0.1$, and the clicks are alike by 0.82 of the most; a quarter is $\delta = 0.5$ and leaves less than 0.01. As in [Positional encoding](positional_encoding.ipynb), only the difference counts.
''')
code(r'''
torch.manual_seed(0)
encoder = ClickEncoder(20_000, side=100)
start = torch.tensor([0.5, 0.5])  # in parts of the image
for part in (0.05, 0.25):
    there = start + torch.tensor([part, 0])
    alike = encoder.where(start) @ encoder.where(there) / 10_000
    expected = math.exp(-2 * math.pi**2 * (2 * part) ** 2)
    print(f"{alike:.2f}", end=" ")
    assert abs(alike - expected) < 0.03
''')
md(r'''
```{solution-end}
```

```{exercise} Between two meanings
:label: ex-dp-focal

A pixel belongs to one of two equally probable meanings of a click. A loss that is strictly proper makes the answer there 0.5. What does SAM's focal loss make of it, which weighs a yes by 0.25 and a no by 0.75? If the clicked digit is sure, which meaning is left when the mask is cut at one half?
```

```{solution-start} ex-dp-focal
:class: dropdown
```

We try all probabilities. The least loss is at about 0.40: below one half, so the pixel is cut away. By this loss alone the digit is left, not the number. The dice loss, which looks at the mask as a whole, is not in this calculation.
''')
code(r'''
p = torch.linspace(0.01, 0.99, 99)
yes, no = torch.ones_like(p), torch.zeros_like(p)
both = focal_loss(p.logit(), yes) + focal_loss(p.logit(), no)
print(f"{p[both.argmin()]:.2f}")
assert p[both.argmin()] < 0.5
''')
md(r'''
```{solution-end}
```

```{exercise} Break it
:label: ex-dp-break

Give all slots of an untrained DETR the same object query, and an image with one object. Compare the gradients of the object queries under the matching and if every slot is asked for the object. Which training can tell the slots apart?
```

```{solution-start} ex-dp-break
:class: dropdown
```

All slots give the same answer, so any of them may be matched. The one that is gets another gradient than the others, and after one update the slots differ. If all are asked for the object, all gradients are equal, and the slots stay the same, up to rounding: by {prf:ref}`thm-dp-twice` they have no reason to differ.
''')
code(r'''
torch.manual_seed(0)
detr = DETR(DETRConfig(**sizes, widths=(8, 8), depths=(), n_queries=4))
detr.eval().queries.data[:] = detr.queries[0]
image, box, kind = torch.rand(1, 3, 24, 24), gold[:1].float(), kinds[:1]
logits, boxes = detr(image)
matched, _ = assign(detr.class_costs(logits), boxes, [box], [kind], nothing=91)
everyone = kind.expand(1, 4)
for answers in (matched, everyone):
    loss = detr.class_loss(logits, answers)
    (slope,) = torch.autograd.grad(loss, detr.queries, retain_graph=True)
    apart = (slope.amax(0) - slope.amin(0)).max() / slope.abs().max()
    print(f"gradients differ by {apart:.1f}")
assert (matched == 91).sum() == 3
assert apart < 1e-4
''')
md(r'''
```{solution-end}
```

## Where this goes next

So far images have been read. [Diffusion](diffusion.ipynb) makes them.
''')

imports = "".join(cells[1]["source"])
if not have("deformable_detr"):
    imports = imports.replace("import line_chart, show, use_book_style", "import use_book_style")
if not any(map(have, ("detr", "deformable_detr", "sam"))):
    imports = imports.replace("from annotated_transformer.records import record\n", "")
cells[1]["source"] = imports.splitlines(keepends=True)
out = ROOT / "book/detection_and_prompts.ipynb"
notebook = {"cells": cells, "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}, "language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
for number, cell in enumerate(cells):
    cell["id"] = f"cell-{number:03d}"
out.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", "utf-8")
words = sum(len("".join(c["source"]).split()) for c in cells if c["cell_type"] == "markdown")
print(len(cells), "cells,", words, "words of markdown")
