"""Builds book/long_sentences.ipynb: python build_long_sentences.py ROOT [missing record ...]."""
import json, sys
from pathlib import Path
ROOT = Path(sys.argv[1])
RESULTS = ROOT / "book/results"
cells = []
def have(name):
    return (RESULTS / f"{name}.json").exists()
def md(text):
    text = text.strip("\n")
    if cells and cells[-1]["cell_type"] == "markdown":
        cells[-1]["source"] = ("".join(cells[-1]["source"]) + "\n\n" + text).splitlines(keepends=True)
        return
    cells.append({"cell_type": "markdown", "metadata": {}, "source": text.splitlines(keepends=True)})
def code(text, caption=None, name=None, alt=None, tags=(), needs=None):
    if needs and not have(needs):
        md(f"?? waits for {needs}")
        return
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
# The cost of n squared

*Every token looks at every other. What does that cost, and what do the cheaper ways lose?*

```{margin}
**Paper**: Table 1, section 4, section 7 {cite:p}`vaswani2017attention`

**Code**: `variants/tiled.py`, `window.py`, `linear.py`, `grouped.py`, `all_at_once.py`
```

## The question

In a text of $n$ tokens, attention compares $n^2$ pairs. The paper saw what this means for long texts. Section 4 proposes to let each token look at a neighbourhood of $r$ tokens only. The conclusion plans "local, restricted attention" for "images, audio and video", and "making generation less sequential". What became of these plans?

| plan | what became of it |
| --- | --- |
| restricted attention | Windows and sparser patterns {cite:p}`child2019generating,beltagy2020longformer`. And, not planned in 2017: all pairs, exactly, without storing their scores {cite:p}`dao2022flashattention`. |
| images, audio, video | Patches in the place of pixels ([Vision](vision.ipynb)), and sound made shorter by convolutions ([The family tree](family_tree.md)). The input is made shorter, and then mostly all pairs are compared. Video is not in this book. |
| less sequential generation | All tokens in one pass {cite:p}`gu2018nonautoregressive`, at a price. Or one after the other as before, with less to read for each {cite:p}`shazeer2019fast,ainslie2023gqa`. |

This chapter takes the ways one by one, times all of them in one run, and then asks what each of them loses.

## The idea

Write the scores of a head as a square, with a row for each query and a column for each key ({numref}`fig-long-ways`). *Explicit* attention, {eq}`eq-attention` as it stands, fills the square and keeps it. *In tiles*, the same scores are computed block by block, and each block is forgotten at once: another order of computing, and the same result. A *window* leaves out all pairs that are far apart. *Linear* attention replaces the weights by products, which can be summed over the keys before any query is known; then there is no square. And heads that *share* keys compute as many scores as before, but a search has fewer keys to keep. The first two are the same function. The other three are other functions.
''')
code(r'''
import math

import torch
from torch.nn import functional as F
from torch.utils.flop_counter import FlopCounterMode

from annotated_transformer import (
    Transformer,
    TransformerConfig,
    show_source,
)
from annotated_transformer.analysis.layer_products import (
    equal_lengths,
    layer_products,
)
from annotated_transformer.analysis.memory_traffic import (
    check_fits,
    explicit_bytes,
    fast_memory,
    plain_traffic,
    tiled_traffic,
)
from annotated_transformer.analysis.two_answers import (
    draw_answers,
    share_right,
    train_writer,
)
from annotated_transformer.attention import attention
from annotated_transformer.figures import use_book_style
from annotated_transformer.figures.long_sentences import (
    Line,
    lines_picture,
    ways_picture,
)
from annotated_transformer.records import record
from annotated_transformer.variants.all_at_once import AllAtOnce
from annotated_transformer.variants.grouped import (
    GroupedQueryAttention,
    grouped_attention,
    grouped_cache_bytes,
)
from annotated_transformer.variants.linear import (
    causal_linear_attention,
    feature_map,
    linear_attention_weights,
    step,
    summary,
)
from annotated_transformer.variants.tiled import (
    finish,
    merge,
    partial_attention,
    tiled_attention,
)
from annotated_transformer.variants.window import (
    window_attention,
    window_mask,
)

use_book_style()
ways_picture()
''', caption="Which scores each way computes for eight tokens, and what it holds at one moment. Shared keys: four heads of queries (blue) read two sets of keys (orange).", name="fig-long-ways", alt="Five panels. Explicit: a dark square of 64 cells. In tiles: a pale square with one dark block of four cells. Window: a dark diagonal band three cells wide, the rest white. Linear: a white square with one small green block in it. Shared keys: four blue blocks, joined in pairs to two orange blocks.", tags=HIDE)

md(r'''
## When does the square count?

```{margin}
**Table 1**: self-attention takes $O(n^2 \cdot d)$. Section 3.3: $d_{\text{ff}} = 4d$.
```

A layer has other costs. For one token of an encoder layer, these are the multiplications in the matrix products, where $d$ is $d_{\text{model}} = h \, d_k$:

```{math}
:label: eq-long-layer
\begin{aligned}
\text{scores, weighted sums} &: \quad 2 \, n \, d\\
\text{four projections} &: \quad 4 \, d^2\\
\text{feed-forward network} &: \quad 2 \, d \, d_{\text{ff}}
\end{aligned}
```

```{prf:theorem} The crossing
:label: thm-long-crossing

The products of attention are more than those of the feed-forward network if and only if $n > d_{\text{ff}}$, which is $4d$ in the paper, and more than those of the projections if and only if $n > 2d$. They are most of the layer from $n > 2d + d_{\text{ff}}$ on.
```

```{prf:proof}
Divide {eq}`eq-long-layer` by $2d$: $n$ against $2d$ and $d_{\text{ff}}$. A query and a key of one head meet in $d_k$ multiplications, and a weight and a value in as many; $h$ heads and $n$ keys make $2 \, n \, h \, d_k$.
```

By hand, for a sentence of 64 tokens and the base model ($d = 512$): attention takes $2 \cdot 64 \cdot 512 = 65{,}536$ multiplications for each token, and the network $2 \cdot 512 \cdot 2048 = 2{,}097{,}152$, which is 32 times as many. In sentences, $n^2$ is not what costs.
''')
code(r'''
base = TransformerConfig.base(vocab_size=37_000)
sentence = layer_products(base, 64)
print(sentence.feed_forward / sentence.attention)
print(equal_lengths(base))
assert equal_lengths(base) == (1024, 2048, 3072)
''')

md(r'''
## All pairs, in tiles

To store the scores of eight heads over 16,384 tokens takes 8 GiB in float32, and to store the weights takes as much again. But the output of a query is only a vector. Can the softmax of a row be computed from blocks of the row, when its sum is known only at the end?

Take the scores 2, 1, 3, 0 in two blocks. The first block has the maximum $2$ and, seen from there, the sum $e^{0} + e^{-1} = 1.37$. The second has the maximum $3$ and the sum $e^0 + e^{-3} = 1.05$. Seen from 3, the first block's sum is smaller by the factor $e^{2 - 3}$: $e^{-1} \cdot 1.37 + 1.05 = 1.55$. And the whole row, seen from 3, has the sum $e^{-1} + e^{-2} + e^{0} + e^{-3} = 1.55$.

```{prf:theorem} Two blocks merge
:label: thm-long-merge

For a query and a set $A$ of keys with scores $s_j$, let

$$
\begin{aligned}
m_A &= \max_{j \in A} s_j\\
t_A &= \textstyle\sum_{j \in A} e^{s_j - m_A}\\
o_A &= \textstyle\sum_{j \in A} e^{s_j - m_A} \, v_j .
\end{aligned}
$$

For disjoint $A$ and $B$ and $m = \max(m_A, m_B)$, the three numbers of $A \cup B$ are $m$,

$$
\begin{aligned}
t &= e^{m_A - m} \, t_A + e^{m_B - m} \, t_B\\
o &= e^{m_A - m} \, o_A + e^{m_B - m} \, o_B ,
\end{aligned}
$$

and for the set of all keys, $o / t$ is the output of attention. No exponent is ever above 0, so nothing overflows.
```

```{prf:proof}
$e^{m_A - m} \, e^{s_j - m_A} = e^{s_j - m}$: each term of $A$ is seen from $m$, and those of $B$ likewise, so the sums over $A \cup B$ are the sums of the two. With all keys, $o / t$ has $e^{-m}$ above and below, and what is left is $\sum_j e^{s_j} v_j / \sum_j e^{s_j}$.
```

{cite:t}`milakov2018online` call it the *online softmax*; {cite:t}`rabe2021selfattention` and {cite:t}`dao2022flashattention` build attention on it. In PyTorch:
''')
code(r'''
show_source(partial_attention, merge, tiled_attention, docstring=False)
''')
md(r'''
`no_keys` is the empty set: sum 0, and the lowest number as its maximum. Checks and signatures aside, these forty lines are what became known as *FlashAttention*, forward. They have to agree with the oracle in float32, whatever the size of the blocks:
''')
code(r'''
torch.manual_seed(0)
q, k, v = (torch.randn(2, 300, 64) for _ in range(3))
oracle, _ = attention(q, k, v)
for blocks in ((1, 1), (7, 50), (128, 128), (300, 300)):
    size = dict(zip(("query_block", "key_block"), blocks, strict=True))
    assert (tiled_attention(q, k, v, **size) - oracle).abs().max() < 1e-6
assert (F.scaled_dot_product_attention(q, k, v) - oracle).abs().max() < 1e-6
row = torch.tensor([[2.0, 1, 3, 0]])
halves = [
    partial_attention(row[:, part], torch.eye(4)[part])
    for part in (slice(2), slice(2, 4))
]
print(*(f"{half.total.item():.2f}" for half in [*halves, merge(*halves)]))
assert torch.allclose(finish(merge(*halves)), row.softmax(-1))
''')
md(r'''
Why is that faster, with the same multiplications? A processor computes on numbers in a small fast memory, and has to fetch them from a large slow one. Explicit attention writes the scores there, reads them for the softmax, writes the weights, and reads them again. Count the numbers that cross, for one head, $n$ tokens of width $d_k$, and blocks of $B$ queries (section 2.2 of {cite:t}`dao2022flashattention` counts alike):

```{math}
:label: eq-long-traffic
\begin{aligned}
\text{explicit} &: \quad 4 \, n \, d_k + 4 \, n^2\\
\text{in tiles} &: \quad 2 \, n \, d_k + 2 \, n^2 \, d_k / B
\end{aligned}
```

In tiles, each of the $n / B$ blocks of queries reads all keys and values once; queries are read once, outputs written once. For long texts the ratio goes to $2 B / d_k$. So larger tiles are better, until they no longer fit into the fast memory.
''')
code(r'''
n, d_k = 16_384, 64
for block in (64, 128, 256):
    ratio = plain_traffic(n, d_k).total / tiled_traffic(n, d_k, block).total
    held = 4 * fast_memory(d_k, block, block) / 1024
    print(f"block {block}: {ratio:.1f} times less, holding {held:.0f} KiB")
    assert abs(ratio / (2 * block / d_k) - 1) < 0.02
''')
md(r'''
Our tiled version is a plain one: Python drives the tiles, and no tile is promised a place in fast memory. A *kernel*, one program for the whole computation, does both, and computes the tiles a second time in the backward pass instead of storing them. PyTorch has such a kernel (`F.scaled_dot_product_attention`, *fused* below), and our model uses it.

## A window

The neighbourhood of section 4 has $r = 2w + 1$ tokens: the token itself, and $w$ on each side.

```{prf:theorem} What a window computes and what it reaches
:label: thm-long-window

For $w < n$, the scores inside the window are $n \, (2w + 1) - w \, (w + 1)$. After $L$ layers a token can depend on tokens up to $L \, w$ away, and on no others; so information from one end of a text to the other takes $(n - 1) / w$ layers, rounded up.
```

```{admonition} Proof
:class: dropdown

Token $i$ would see $2w + 1$ tokens. The first $w$ tokens miss $w, w - 1, \dots, 1$ of them, in all $w(w+1)/2$, and the last $w$ as many. For the reach, one layer lets a token depend on tokens at most $w$ away. If after $L - 1$ layers these depend on tokens at most $(L - 1) \, w$ from them, the token depends after $L$ layers on tokens at most $L \, w$ away.
```

A mask alone does not save anything: the scores are computed first and hidden afterwards. To save, cut the text into blocks of $w$ queries. A block needs its own block of keys and its two neighbours, so $3w$ scores for each token are computed instead of $n$.
''')
code(r'''
torch.manual_seed(0)
q, k, v = (torch.randn(512, 16) for _ in range(3))
counts = {}
for name, compute in {
    "all pairs": lambda: attention(q, k, v)[0],
    "masked": lambda: attention(q, k, v, window_mask(512, 16))[0],
    "in blocks": lambda: window_attention(q, k, v, window=16),
}.items():
    with FlopCounterMode(display=False) as counter:
        output = compute()
    counts[name] = counter.get_total_flops() // 2
    print(f"{name}: {counts[name]:,} multiplications")
assert counts["masked"] == counts["all pairs"] == 2 * 512**2 * 16
assert counts["in blocks"] == 2 * 512 * (3 * 16) * 16
assert window_mask(512, 16).sum() == 512 * 33 - 16 * 17
masked, _ = attention(q, k, v, window_mask(512, 16))
assert torch.allclose(output, masked, atol=1e-6)
''')
md(r'''
## Linear attention

The weight of key $j$ is $e^{q \cdot k_j / \sqrt{d_k}}$, over a sum. {cite:t}`katharopoulos2020transformers` put a product in the place of the exponential, $\varphi(q) \cdot \varphi(k_j)$, with a *feature map* $\varphi$ that makes every component positive (theirs and ours: $x + 1$ above 0, $e^x$ below). Then the query can be taken out of the sum:

```{math}
:label: eq-long-linear
\begin{aligned}
o_i &= \frac{\sum_j \bigl(\varphi(q_i) \cdot \varphi(k_j)\bigr) \, v_j}{\sum_j \varphi(q_i) \cdot \varphi(k_j)}\\[4pt]
&= \frac{\varphi(q_i) \, S}{\varphi(q_i) \cdot z}
\end{aligned}
```

with $S = \sum_j \varphi(k_j)^{\top} v_j$ and $z = \sum_j \varphi(k_j)$. The text is summed up in $d_k \, d_v + d_k$ numbers, and each query costs as much, however long the text is. If a query may only look back, the sums run up to its own place:

```{prf:theorem} The causal form is a recurrence
:label: thm-long-recurrence

Let $S_0 = 0$, $z_0 = 0$ and, for each token in turn, $S_i = S_{i-1} + \varphi(k_i)^{\top} v_i$, $\;z_i = z_{i-1} + \varphi(k_i)$. Then $\varphi(q_i) \, S_i \,/\, \varphi(q_i) \cdot z_i$ is the output of linear attention with the causal mask.
```

```{prf:proof}
By induction $S_i$ and $z_i$ are the sums over $j \le i$, and {eq}`eq-long-linear` over these $j$ is what the mask leaves.
```

By hand, with $\varphi(k)$ the rows $(1, 0)$, $(0, 1)$, $(1, 1)$ and the values 2, 4, 6: $S$ goes from $(2, 0)$ over $(2, 4)$ to $(8, 10)$, and $z$ ends at $(2, 2)$. A query with $\varphi(q) = (1, 0.5)$ gets $(8 + 5) / (2 + 1) = 4.33$; the weights $1, 0.5, 1.5$ over their sum give $(2 + 2 + 9) / 3$, the same. So a Transformer with linear attention can write like a recurrent network, with a state of fixed size and no cache that grows. The code keeps $S$ and $z$ in one matrix, $z$ as its last column:
''')
code(r'''
show_source(feature_map, summary, step, docstring=False)
torch.manual_seed(0)
q, k, v = (torch.randn(40, 8, dtype=torch.float64) for _ in range(3))
state, written = summary(k[:0], v[:0]), []
for i in range(40):
    now = slice(i, i + 1)
    output, state = step(state, q[now], k[now], v[now])
    written.append(output)
before = torch.ones(40, 40, dtype=torch.bool).tril()
by_weights = linear_attention_weights(q, k, before) @ v
assert torch.allclose(torch.cat(written), by_weights)
assert torch.allclose(causal_linear_attention(q, k, v), by_weights)
softmax, _ = attention(q, k, v, before)
assert not torch.allclose(by_weights, softmax, atol=0.1)
''')
md(r'''
The last line says that it is another attention: nothing makes these weights equal to those of a softmax.

## Shared keys

A search writes one token after another and keeps the keys and values of all tokens so far ([Decoding](decoding.ipynb)). For each new token it reads all of them again. *Multi-query attention* {cite:p}`shazeer2019fast` gives all heads the same keys and values; *grouped-query attention* {cite:p}`ainslie2023gqa` gives each of $g$ groups of heads its own. Scores are computed for every head as before, so this saves no products of scores. It saves what is kept and read:
''')
code(r'''
for groups in (8, 2, 1):
    size = grouped_cache_bytes(base, groups, tokens=16_384)
    layer = GroupedQueryAttention(512, 8, groups)
    weights = sum(p.numel() for p in layer.parameters())
    print(f"{groups} groups: {size / 2**20:3.0f} MiB, {weights:,} weights")
    assert size == 16_384 * 6 * 2 * groups * 64 * 4
q, k, v = (torch.randn(1, h, 30, 64) for h in (8, 2, 2))
copied = (x.repeat_interleave(4, dim=1) for x in (k, v))
shared = grouped_attention(q, k, v)
assert torch.allclose(shared, attention(q, *copied)[0], atol=1e-6)
''')
md(r'''
This is the cache of one text of 16,384 tokens in the decoder of the base model, in float32, and the weights of one attention. What a model loses that is trained with shared keys we have not measured; {cite:t}`ainslie2023gqa` report that a few groups lose little.

## All in one run

One run times everything, with the heads of the base model ($h = 8$, $d_k = 64$), one text, forward only, in float32 on a processor. Nothing is masked but what the windows hide ($w = 128$). Each contestant has a process of its own, and at each length they take turns.
''')
code(r'''
measured = record("benchmark_long_sentences")
shown = {
    "explicit": "key",
    "fused": "query",
    "tiled": "source",
    "window": "target",
    "linear": "value",
    "feed-forward": "neutral",
}


def lines_of(field):
    for name, colour in shown.items():
        rows = measured.entries("rows", contestant=name)
        n, values = zip(*((r["length"], r[field]) for r in rows), strict=True)
        yield Line(name, n, values, colour, dashed=name == "feed-forward")


panels = {
    "time of a token": list(lines_of("microseconds_per_token")),
    "memory of the process": list(lines_of("memory_mib")),
}
lines_picture(
    panels, x="tokens", y=["microseconds", "MiB"], log=("x", "y")
)
''', caption="??", name="fig-long-cost", alt="??", tags=HIDE, needs="benchmark_long_sentences")
code(r'''
grown = measured["growth"]
measured.table(
    "contestant",
    exponent=".2f",
    **{"overtakes feed-forward": ",", "overtakes projections": ","},
    of=[row for row in grown if not row["contestant"].startswith("step")],
)
''', needs="benchmark_long_sentences")
code(r'''
crossings = {row["contestant"]: row["overtakes feed-forward"] for row in grown}
powers = {row["contestant"]: row["exponent"] for row in grown}
assert crossings["explicit"] < equal_lengths(base).feed_forward
assert min(powers[way] for way in ("explicit", "fused", "tiled")) > 1.7
assert max(powers[way] for way in ("window", "linear")) < 1.3
slow, fast = (
    [r["seconds"] for r in measured.entries("rows", contestant=way, length=8192)]
    for way in ("window, masked", "window")
)
print(f"8,192 tokens, masked against blocks: {slow[0] / fast[0]:.0f} times as long")
print(*measured["left_out"], sep="\n")
''', needs="benchmark_long_sentences")
md(r'''
**The count says 2,048; explicit attention overtakes the feed-forward network at ??, and the kernel at ??.** Multiplications are not all: explicit attention takes an exponential for each score and moves $4 n^2$ numbers, which {eq}`eq-long-layer` leaves out. In tiles most of this traffic is gone, and at ?? tokens the kernel takes a ?? of the time. Our own tiles, driven by Python, take ?? times as long as the kernel. Both need memory in proportion to the length. But their exponents stay near 2: tiles save memory and traffic, not the square.

A window as a mask is the dearest way of all, because the mask is applied to all scores on top. In blocks, and with linear attention, time grows in proportion to the length. Below some hundred tokens neither gains anything, since a window of 128 computes blocks of $3 \cdot 128$ keys.

Multi-query attention takes as long as explicit attention over a whole text, as the count says. In a search it is another matter: a step with one query is mostly reading.
''')
code(r'''
steps = [row for row in measured["rows"] if row["contestant"].startswith("step")]
measured.table(
    "contestant",
    of=[row for row in steps if row["length"] in (1024, 4096, 16_384)],
    across="length",
    microseconds_per_token=",.0f",
)
''', needs="benchmark_long_sentences")
md(r'''
## What each of them loses

### On short sentences, nothing

Our corpus is translated with a window of 2, 4 and 8 tokens in the self-attentions of encoder and decoder, and with linear attention there. The attention over the memory stays as it is. All runs have the same initial weights, batches and 1,000 updates; printed is the exact match in percent on 1,000 new sentences, a column for each seed.
''')
code(r'''
sight = record("short_sight")
exact = {
    way: sight.scores("exact_match", self_attention=way)
    for way in ("full", "window 2", "window 4", "window 8", "linear")
}
sight.table(
    "self_attention",
    of=sight.entries("scores", metric="exact_match"),
    across="seed",
    value=".1f",
)
''', needs="short_sight")
code(r'''
full = exact["full"]
for way in ("window 2", "linear"):
    gains = [x - y for x, y in zip(exact[way], full, strict=True)]
    print(f"{way}: {min(gains):.1f} to {max(gains):.1f} points ahead")
    assert min(gains) > max(full) - min(full)
for way in ("window 4", "window 8"):
    assert min(exact[way]) < max(full)
(longer,) = record("english_korean_live").scores("exact_match", split="test")
assert longer > max(full) + 10
''', needs="short_sight")
md(r'''
Nothing is lost, which we did not expect. A window of 2 and linear attention are *ahead* of full attention, from every seed and by more than the 3 points by which its own runs differ. Windows of 4 and 8 cannot be told from it. Is less attention better, then? These runs do not say so. After 1,000 updates full attention has not finished learning; the recipe's 2,500 updates bring it to 93 % (record `english_korean_live`, with beam search). So the table compares how fast they learn, and with fewer neighbours there may be less to learn. Besides, the task asks little of them: a sentence has eleven tokens on average, and every target token sees the whole source through the memory. Long sentences, more updates and other learning rates were not tried.

### Exact recall at a distance, everything

So let a task need what was read long ago, exactly. A text is $n$ pairs of a key and one of 16 values, drawn at random. Then keys are asked for. Softmax attention looks at all pairs again. Linear attention has read them into its state before the question comes.

```{prf:theorem} What a fixed state can recall
:label: thm-long-recall

Let a reader keep $b$ bits of a text of $n$ pairs whose values are drawn independently and uniformly from $V$ possible ones, and answer from these bits and the question. If $n \log_2 V > b$, some answers are wrong. The share $e$ of wrong answers, on average over texts and questions, satisfies

$$
\begin{aligned}
H(e) &+ e \, \log_2 (V - 1)\\
&\ge \log_2 V - b / n ,
\end{aligned}
$$

where $H(e) = - e \log_2 e - (1 - e) \log_2 (1 - e)$.
```

```{admonition} Proof
:class: dropdown

Fix the keys. There are $V^n$ texts and $2^b$ states. If there are more texts than states, two texts share a state. They differ in some value, and to the question for it they get the same answer, which is wrong for one of them. For the share, the values have the entropy $n \log_2 V$, and a state of $b$ bits leaves at least $n \log_2 V - b$ of it open. The entropies that it leaves open of the single values add up to at least as much, so on average they are at least $\log_2 V - b / n$. By Fano's inequality {cite:p}`cover2006elements` an answer that is wrong with probability $e_i$ leaves at most $H(e_i) + e_i \log_2 (V - 1)$ open. This is concave in $e_i$, so its mean is at most its value at the mean $e$.
```

It holds for every reader with a state of fixed size, however it was trained: a recurrent network, linear attention, a window that keeps the last keys alone. {cite:t}`jelassi2024repeat` prove as much for copying. With numbers of 32 bits, the state of linear attention has $b = 32 \, (d^2 + d)$. At $d = 2$ these are 192 bits, enough for 48 values of 4 bits.
''')
code(r'''
recalled = record("recall")


def runs(kind, d, colour, name):
    for seed in recalled["seed"]:
        found = recalled.entries("scores", attention=kind, d=d, seed=seed)
        xs, ys = [e["pairs"] for e in found], [e["value"] for e in found]
        yield Line(name, xs, ys, colour)


bounds = [b for b in recalled["bounds"] if b["d"] == 2]
lines = [
    *runs("softmax", 32, "query", "softmax 32"),
    *runs("linear", 32, "value", "linear 32"),
    *runs("linear", 8, "key", "linear 8"),
    *runs("linear", 2, "target", "linear 2"),
]
limit = [b["pairs"] for b in bounds], [b["accuracy"] for b in bounds]
lines.append(Line("bound for 2", *limit, "neutral", dashed=True))
lines_picture({"right answers": lines}, x="pairs in the text", y=["%"])
''', caption="Questions about new texts that are answered rightly, by the number of pairs in a text; a line for each of three seeds, and each model trained for its own number of pairs. The name gives the width d of the head. Dashed: what no reader with the state of width 2 in float32 can exceed. The bounds for 8 and 32 are 100 % throughout. A guess is right in 6 % of the cases.", name="fig-long-recall", alt="Right answers over 4 to 256 pairs. Softmax attention stays at 100 percent. Linear attention of width 32 falls from 98 percent to 26, of width 8 from 90 to 12, of width 2 from 40 to 8. The dashed bound for width 2 is at 100 up to 32 pairs and falls to 42 at 256.", tags=HIDE, needs="recall")
code(r'''
softmax = recalled.scores("accuracy", attention="softmax")
assert min(softmax) > 99.5
for d in (2, 8, 32):
    found = recalled.scores("accuracy", attention="linear", d=d, pairs=2 * d)
    most = [b["accuracy"] for b in recalled["bounds"] if b["d"] == d]
    print(f"d = {d}, {2 * d} pairs:", *found, f"| bound at 256: {most[-1]:.0f}")
    assert 35 < min(found) <= max(found) < 70
''', needs="recall")
md(r'''
Softmax attention answers everything. Its memory is not better, but larger: it keeps $n \, (d_k + d_v)$ numbers of the text, and pays for it with $n^2$. Linear attention fails as {prf:ref}`thm-long-recall` says it must, and much earlier. At $d = 8$ its bits would do for 576 pairs, and half of the answers are wrong at 16. The bound is certain, but it is not what these networks meet first. The weights of $n$ questions that find one key each make a matrix of rank $n$, and linear attention makes matrices of rank $d$ at most ({ref}`ex-long-rank`). At $n = 2d$ it has 39 to 64 % right. Other feature maps, a learned rule for forgetting, several layers and more than 1,000 updates were not tried.

## At twice the length

A model that can pay for long texts has seldom seen such long ones in training. What do the four ways to tell positions do beyond it? A small decoder alone reads a string of different letters and a sign, and writes the string again, or writes it backwards. It trains on 1 to 8 letters. [Positional encoding](positional_encoding.ipynb) asked this of translation, where the sentences changed with their length; here nothing is new but the length.
''')
code(r'''
twice = record("twice_as_long")
colours = {
    "sinusoidal": "query",
    "learned": "neutral",
    "rotary": "key",
    "alibi": "value",
}


def panel(task):
    for kind, colour in colours.items():
        for seed in twice["seed"]:
            found = twice.entries(
                "scores",
                metric="exact_match",
                **{"task": task, "positions": kind, "seed": seed},
            )
            xs, ys = [e["length"] for e in found], [e["value"] for e in found]
            yield Line(kind, xs, ys, colour)


panels = {task: list(panel(task)) for task in ("copy", "reverse")}
titles = ["exact, %"] * 2
lines_picture(panels, x="letters", y=titles, log=(), until=8)
''', caption="Strings that are written without an error, by their length. Each line is one of three seeds. Training ends at the dotted line. Sinusoidal and learned lie under the rotary lines up to 8 letters, and at zero beyond.", name="fig-long-twice", alt="Two panels. Copy: all kinds but ALiBi are at 98 percent or more up to 8 letters; ALiBi is at 80 to 94 there. At 10 letters sinusoidal and learned are at zero, rotary near 53, ALiBi at 45 to 80; at 16 letters only ALiBi is above zero, with two of three seeds. Reverse: at 10 letters two rotary runs are at 99, one at zero, ALiBi at 39 to 51; at 16 letters all are below 2.", tags=HIDE, needs="twice_as_long")
code(r'''
def at(length, metric="exact_match"):
    for task in ("copy", "reverse"):
        for kind in colours:
            wanted = {"task": task, "positions": kind, "length": length}
            yield task, kind, twice.scores(metric, **wanted)


for task, kind, values in at(16):
    assert max(values) <= (1 if (task, kind) != ("copy", "alibi") else 21)
for _, kind, values in at(8):
    assert min(values) > (74 if kind == "alibi" else 98)
for _, kind, values in at(10):
    assert kind in ("rotary", "alibi") or max(values) < 1
for task, kind, values in at(16, "accuracy"):
    print(task, kind, *(f"{value:.0f}" for value in values))
''', needs="twice_as_long")
md(r'''
**At twice the length, no way to tell positions writes whole strings reliably.** Sinusoids and learned vectors fall from nearly all to nothing two letters beyond their training. Rotary encoding falls more slowly, and not the same way twice: of the reversed strings of 10 letters two runs write 99 %, and the third none. From 12 letters on ALiBi alone still copies some. It pays for this inside its training: at 8 letters it writes 74 to 94 % of the strings, and all others 98 or more.

Printed are the single letters right at 16 letters, given the right ones before them. By this milder measure ALiBi keeps 69 to 91 %. Learned vectors, which at these places are still the random numbers they began as, have more right than sinusoids from every seed: to copy, a model may look for the letter just written and take the one behind it, without knowing how far it has come. We tried one small network, one learning rate and 2,000 updates. {cite:t}`press2022train` showed that ALiBi predicts long natural texts well; there the nearest words help most, and a task that needs one exact place is another question.

## All tokens at once

The decoder writes a translation of $n$ tokens in $n$ passes. Take its causal mask away, and the target tokens from its input: every output position starts from a copy of a source token, looks at all other positions, and is read out once. {cite:t}`gu2018nonautoregressive` introduced such *non-autoregressive* decoders. Our version gives a source 12 more positions than it has tokens, and the model writes the end of the sentence itself.

```{prf:theorem} The price of not knowing the others
:label: thm-long-independent

Let a source have two translations, each with probability one half, of equal length, that differ in $m$ places. If the tokens are drawn independently of each other, given the source, and the expected log probability of the translation is as large as it can be, then what is drawn is one of the two with probability $2^{1 - m}$.
```

```{prf:proof}
The log probability is a sum over places, and each summand is largest in expectation if the model has the true probabilities of that place: 1 where the two agree, and one half for each where they differ. Drawn so, all $m$ places agree with the first translation with probability $2^{-m}$, and with the second as often.
```

Taking the most probable token at each place, as we do, does not help: where two are level, small differences decide, and at each place anew. A model that writes one by one pays nothing, because its second token knows the first.

A tiny model shows it while you read. A text is six letters, and right is either the text or the same with its first $m$ letters in reverse; each training pair has one of the two. The one-pass models learn for 150 updates, the usual one for 700. Then tokens are drawn:
''')
code(r'''
text, other = draw_answers(1, 6, torch.Generator().manual_seed(0))
print("right:", text[0].tolist(), "or", other[0].tolist())
for m in (2, 6):
    share = share_right(train_writer(AllAtOnce, m, steps=150), m)
    print(f"all at once, m = {m}: {share:.0%}, the theorem {2 ** (1 - m):.0%}")
    assert abs(share - 2 ** (1 - m)) < 0.06
share = share_right(train_writer(Transformer, 6, steps=700), 6)
print(f"one by one, m = 6: {share:.0%}")
assert share > 0.7
''', tags=("nbval-ignore-output",))
md(r'''
So the price depends on how much a source leaves open. Our corpus is unusually kind: each English sentence has exactly one translation, and nothing is left open. (Where there are several, a common remedy is to train on the translations of another model, which vary less {cite:p}`kim2016sequence`.) What is left of the price, on the corpus, from three seeds:
''')
code(r'''
once = record("all_at_once")
rows = []
for decoder in ("one by one", "all at once"):
    row = {"decoder": decoder}
    for metric in ("exact_match", "BLEU", "repeats", "passes"):
        wanted = {"decoder": decoder, "split": "test"}
        low, _, high = sorted(once.scores(metric, **wanted))
        row[metric] = f"{low:.1f}–{high:.1f}" if low < high else f"{low:.1f}"
    rows.append(row)
once.table("decoder", "exact_match", "BLEU", "repeats", "passes", of=rows)
''', needs="all_at_once")
code(r'''
for decoder, updates in (
    ("one by one", 1500),
    ("all at once", 1500),
    ("all at once", 4500),
):
    found = once.entries("curve", decoder=decoder, step=updates)
    losses = " ".join(f"{entry['valid_loss']:.2f}" for entry in found)
    print(f"{decoder}, {updates} updates: {losses} nats")
exact = [
    once.scores("exact_match", decoder=decoder, split="test")
    for decoder in ("one by one", "all at once")
]
assert min(exact[0]) > max(exact[1]) + 35
''', needs="all_at_once")
md(r'''
**The price is high even here**, which {prf:ref}`thm-long-independent` does not explain: with one translation, independent tokens could be perfect. After three times the updates, 45 to 50 % of 1,000 new sentences are right in one pass, and about 88 % one by one. In 15 to 21 % of its translations a word stands twice in a row, as if neighbouring places had settled for the same word. What is hard seems to be to know one's place: where a word stands depends on the length of all before it, and a decoder that reads its own words need not work that out. One pass in place of eleven is the gain. (A pass computes all places, so it is more than an eleventh of the work.) Its loss was still falling; more updates or layers, or a length that is given, were not tried.

## Bad input

A window that does not divide the length is no error: the last block is filled up and the filling hidden, as the docstring says. What cannot be right is refused in a sentence, and memory is counted before it is asked for:
''')
code(r'''
q, k, v = (torch.randn(1, 100, 8) for _ in range(3))
filled = window_attention(q, k, v, window=7)
assert 100 % 7
assert torch.allclose(
    filled, attention(q, k, v, window_mask(100, 7))[0], atol=1e-6
)
for wrong in (
    lambda: window_attention(q, k, v, window=0),
    lambda: GroupedQueryAttention(512, 8, 3),
    lambda: check_fits(
        "Attention over 100,000 tokens", explicit_bytes(100_000, 8), 2**34
    ),
):
    try:
        wrong()
    except ValueError as error:
        print(error)
''')
md(r'''
## What people get wrong

**"FlashAttention is an approximation."** It is exact, by {prf:ref}`thm-long-merge`; only the order of the sums differs, and with it the rounding.

**"FlashAttention makes attention linear."** Its memory, yes. Its multiplications are the same $n^2$, and its time grew with nearly the square.

**"A window makes attention cheap."** Not as a mask, which was the dearest way of all. Only what is never computed is saved.

**"Linear attention computes the same, faster."** It computes other weights, and no state of fixed size can recall more than it has bits ({prf:ref}`thm-long-recall`).

**"Grouped queries save computation."** They save keys to keep and to read. The scores are as many.

**"Relative positions make a model work at any length."** At twice the length of its training none of our four ways wrote whole strings reliably, relative or not.

**"A Transformer must write one token after another."** The causal mask and its own words as input make it do so. Without them it writes in one pass, and in our runs it has about half of what the usual decoder has right.

## What to keep

In sentences $n^2$ is cheap: its products overtake those of the feed-forward network at $4d$ tokens. All pairs can be had without storing them, because two blocks of a softmax merge exactly. What is cheaper than that is another function: a window sees only near tokens in a layer, and a state of fixed size recalls no more than it has bits. Shared keys and one-pass decoders save where a text is written, the one by having less to read, the other at a price where a sentence has more than one right translation. And a length that a model can pay for is not yet a length that it has learned.

## Exercises

```{exercise} Any order
:label: ex-long-order

Show that `merge` does not care about the order of the blocks, nor about which of three are merged first. What does this allow a machine with several processors to do?
```

```{solution-start} ex-long-order
:class: dropdown
```

By {prf:ref}`thm-long-merge` the result of merging is the three numbers of the union, and a union has no order. So each processor can take some of the keys of a long text, and only their three numbers have to be sent.
''')
code(r'''
torch.manual_seed(0)
scores, values = torch.randn(1, 9, dtype=torch.float64), torch.randn(9, 2).double()
a, b, c = (
    partial_attention(scores[:, i : i + 3], values[i : i + 3])
    for i in (0, 3, 6)
)
one, other = merge(merge(a, b), c), merge(c, merge(b, a))
assert all(torch.allclose(x, y) for x, y in zip(one, other, strict=True))
assert torch.allclose(finish(one), scores.softmax(-1) @ values)
''')
md(r'''
```{solution-end}
```

```{exercise} Another crossing
:label: ex-long-linear

For one head with $d_v = d_k$: from which length on does linear attention take fewer multiplications than explicit attention? Count the products only.
```

```{solution} ex-long-linear
:class: dropdown

Explicit attention takes $2 \, n \, d_k$ for each query: $d_k$ for each score, and as many for each weight and value. Linear attention takes $d_k^2$ for each key, to add $\varphi(k)^{\top} v$ to the state, and $d_k^2$ for each query, to read it; $z$ adds $2 \, d_k$. Without these the two are equal at $n = d_k$, 64 in the base model: shorter than many a sentence.
```

```{exercise} Break it
:label: ex-long-break

Leave the maximum out: let $m_A = 0$ for every block. Why are the outputs still right for small scores? Find scores for which they are not, in float32.
```

```{solution-start} ex-long-break
:class: dropdown
```

The theorem's proof works with any number in the place of the maximum, as long as all terms are seen from the same one. But $e^{s}$ is more than float32 can hold from $s = 89$ on, and infinity over infinity is no number. If all scores are very negative, everything is 0 instead.
''')
code(r'''
def without_maximum(scores, value):
    weights = scores.exp()
    return (weights @ value) / weights.sum(-1, keepdim=True)


scores = torch.tensor([[0.0, 1.0, 2.0]])
value = torch.eye(3)
for shift in (0, 80, 89, -110):
    found = without_maximum(scores + shift, value)
    right = torch.allclose(found, scores.softmax(-1), atol=1e-3)
    print(shift, "right" if right else found[0].tolist())
    assert right == (shift in (0, 80))
''')
md(r'''
```{solution-end}
```

```{exercise} How sharp can linear attention be?
:label: ex-long-rank

To recall every one of $n$ values, let query $i$ put all its weight on key $i$. Show that linear attention with $d_k < n$ features cannot do this for all queries, and that a softmax comes as close as one likes for keys in two dimensions.
```

```{solution-start} ex-long-rank
:class: dropdown
```

The weights before the division are a product of an $n \times d_k$ and a $d_k \times n$ matrix, so their rank is at most $d_k$; dividing rows does not raise it. The identity has the rank $n$. For the softmax, put the keys on a circle and let each query be its own key, times a large number: its own score is the largest of its row, and the softmax does the rest.
''')
code(r'''
torch.manual_seed(0)
weights = linear_attention_weights(*torch.randn(2, 12, 4, dtype=torch.float64))
angle = 2 * math.pi * torch.arange(12) / 12
circle = torch.stack([angle.cos(), angle.sin()], dim=1)
sharp = attention(200 * circle, circle, torch.eye(12))[1]
print(torch.linalg.matrix_rank(weights).item(), f"{sharp.diagonal().min():.3f}")
assert torch.linalg.matrix_rank(weights) <= 4
assert torch.allclose(sharp, torch.eye(12), atol=1e-3)
''')
md(r'''
```{solution-end}
```

## Where this goes next

So far the model has translated. Section 6.3 of the paper asks it to write trees, and so does the next chapter.
''')
for number, cell in enumerate(cells):
    cell["id"] = f"cell-{number:03d}"
out = ROOT / "book/long_sentences.ipynb"
notebook = {"cells": cells, "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}, "language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
out.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", "utf-8")
import re
prose = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
print(len(prose.split()), "words with formulas")
