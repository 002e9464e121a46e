"""Builds book/parsing.ipynb: python build_parsing.py ROOT."""
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
# Parsing

*A sentence goes in, and its tree comes out as one line of symbols.*

```{margin}
**Paper**: section 6.3, Table 4

**Code**: `corpora/treebank.py`, `corpora/grammar.py`, `corpora/english_trees.py`, `baselines/cky.py`, `analysis/bracket_score.py`, `analysis/parsing.py`
```

## The question

*He saw the man with the telescope.* Who had the telescope? And *he saw the man with the scarf*: who wore it? We answer without noticing that there was a question.

The last experiment of the paper puts such questions to the model that was made for translation. The model reads a sentence and writes down how its words belong together, as a line of brackets. It has no part that knows what a bracket is. Does it learn to close what it has opened? Does it learn who has the telescope? And how many examples does it take?

## Phrases in phrases

Some neighbouring words belong together: *the man* can be replaced by *him*, and *man with* by nothing. Words that belong together are a *phrase*, also called a constituent. A noun with its companions is a noun phrase, NP for short; a verb with what follows it is a verb phrase, VP; *with* and a noun phrase are a prepositional phrase, PP; and S is a whole sentence. Phrases lie inside phrases, so a sentence is a *tree* ({numref}`fig-parse-trees`). The labels next to the words are their *tags*: DT is an article, NN a noun, VBD a verb in the past tense, PRP a pronoun, IN a preposition. To *parse* a sentence is to find its tree. Trees by experts are collected in *treebanks*; labels and tags here are those of the Penn Treebank {cite:p}`marcus1993building`.
''')
code(r'''
import itertools
import math
from collections import Counter
from statistics import mean

from annotated_transformer import show_source
from annotated_transformer.analysis.bracket_score import (
    bracket_score,
    brackets,
    compare_trees,
)
from annotated_transformer.analysis.choices import KINDS, open_choices
from annotated_transformer.baselines.cky import CKY
from annotated_transformer.baselines.right_branching import right_branching
from annotated_transformer.corpora.english_trees import (
    english_grammar,
    english_trees,
)
from annotated_transformer.corpora.grammar import Grammar
from annotated_transformer.corpora.treebank import (
    delinearised,
    linearised,
    parse_trees,
    prepared,
    tree_pair,
)
from annotated_transformer.figures import use_book_style
from annotated_transformer.figures.parsing import (
    curve_picture,
    shares_picture,
    table_picture,
    trees_picture,
)
from annotated_transformer.records import record
from annotated_transformer.tables import Table

use_book_style()
by_verb, by_noun = parse_trees("""
(S (NP (PRP he)) (VP (VBD saw)
  (NP (DT the) (NN man)) (PP (IN with) (NP (DT the) (NN telescope)))))
(S (NP (PRP he)) (VP (VBD saw)
  (NP (NP (DT the) (NN man)) (PP (IN with) (NP (DT the) (NN scarf))))))
""")
trees_picture(
    {
        "the telescope belongs to the seeing": by_verb,
        "the scarf belongs to the man": by_noun,
    }
)
''', caption="Two trees over the same tags. The prepositional phrase hangs on the verb phrase in the first tree, and on a noun phrase in the second. No tag tells which; the words do.", name="fig-parse-trees", alt="Two trees. Both have S on top, which divides into NP, he, and VP. In the first tree VP divides into saw, the NP the man, and the PP with the telescope. In the second it divides into saw and one NP, which divides into the NP the man and the PP with the scarf. The line to the PP is thick.", tags=HIDE)
md(r'''
The two sentences have the same tags in the same order and still have different trees. What decides is that one sees through a telescope and wears a scarf. So a parser must do more than set brackets in places where brackets usually stand: it must know words. A sentence with several possible trees is *ambiguous*. Two kinds of ambiguity matter here: what a prepositional phrase is *attached* to, and what *and* joins (in *old men and women*, are the women old?).

## The formula

A *context-free grammar* says which trees there are. Its rules, such as S → NP VP, say what a phrase may consist of; it is called context-free because that depends on nothing outside of the phrase. A *probabilistic* grammar gives each rule $A \to \beta$ a probability $p(A \to \beta)$; those of one left side $A$ sum to 1. A tree is drawn from the top: choose a rule for S, then for each part, until words are reached. So the probability of a tree $t$, and the best tree for a sentence $s$, are

```{math}
:label: eq-parse-tree
\begin{aligned}
P(t) &= \prod_{A \to \beta \text{ in } t} p(A \to \beta) , \\
\hat t(s) &= \arg\max_{t \text{ over } s} P(t) .
\end{aligned}
```

The Transformer needs no grammar. It treats the line of symbols $y_1, \dots, y_m$ that stands for a tree as a sentence of another language, and learns as in [Training](training.ipynb):

```{math}
:label: eq-parse-line
P(y \mid s) = \prod_{k=1}^{m} P(y_k \mid y_1, \dots, y_{k-1}, s) .
```

Section 6.3 changes little else: four layers of width 1,024, and a search ([Decoding](decoding.ipynb)) with beam size 21 and $\alpha = 0.3$ that may write 300 tokens more than it reads.

## By hand: the best of all trees

A sentence can have very many trees, so how does one find the best without looking at each? Let $b_{ij}(A)$ be the highest probability with which $A$ becomes the words between the places $i$ and $j$. If all rules have two parts, then

```{math}
:label: eq-parse-cky
\begin{aligned}
b_{ij}(A) = \max_{A \to B\,C} \; \max_{i < k < j} \; & p(A \to B\,C) \\
& \cdot b_{ik}(B) \, b_{kj}(C) .
\end{aligned}
```

Short stretches first: each needs only shorter ones. This is *CKY*, after Cocke, Kasami and Younger {cite:p}`kasami1965efficient,younger1967recognition`. Take a grammar of seven rules and *girls saw birds with hats*. A noun (N) is *girls* with probability 0.5, *birds* or *hats* with 0.25 each; V is *saw*, P is *with*; and NP → N has 0.8.
''')
code(r'''
small = Grammar(
    {
        "S": {("NP", "VP"): 1},
        "VP": {("V", "NP"): 0.6, ("VP", "PP"): 0.4},
        "NP": {("N",): 0.8, ("NP", "PP"): 0.2},
        "PP": {("P", "NP"): 1},
    },
    {
        "N": {"girls": 0.5, "birds": 0.25, "hats": 0.25},
        "V": {"saw": 1},
        "P": {"with": 1},
    },
    start="S",
)
''')
code(r'''
words = ["girls", "saw", "birds", "with", "hats"]
cells = {
    (0, 1): ["N 0.5", "NP 0.4"],
    (1, 2): ["V 1"],
    (2, 3): ["N 0.25", "NP 0.2"],
    (3, 4): ["P 1"],
    (4, 5): ["N 0.25", "NP 0.2"],
    (1, 3): ["VP 0.12"],
    (3, 5): ["PP 0.2"],
    (0, 3): ["S 0.048"],
    (2, 5): ["NP 0.008"],
    (1, 5): ["*VP 0.0096", "VP 0.0048"],
    (0, 5): ["S 0.00384"],
}
table_picture(words, cells)
''', caption="The table of CKY for five words. A cell stands above its words and names what they can be, with the best probability. The widest verb phrase can be made in two ways; the coloured one wins.", name="fig-parse-table", alt="A triangle of cells over the words girls saw birds with hats. On the lowest row N and NP over the nouns, V over saw, P over with. Above them VP 0.12 over saw birds, PP 0.2 over with hats, then S 0.048 over girls saw birds, NP 0.008 over birds with hats, then VP with two values, 0.0096 in colour and 0.0048, over the last four words, and S 0.00384 on top.", tags=HIDE)
md(r'''
*Saw birds* is V NP: $0.6 \cdot 1 \cdot 0.2 = 0.12$. *With hats* is P NP: $0.2$. *Birds with hats* is NP PP: $0.2 \cdot 0.2 \cdot 0.2 = 0.008$. Now *saw birds with hats* has two ways. As *saw* and *birds with hats* it is $0.6 \cdot 0.008 = 0.0048$. As *saw birds* and *with hats* it is $0.4 \cdot 0.12 \cdot 0.2 = 0.0096$, which is more. S has $0.4 \cdot 0.0096 = 0.00384$, and following the winners downwards gives the tree.
''')
code(r'''
cky = CKY(small)
best = cky.derivation(words)
print(best)
print(f"{math.exp(small.log_probability(best)):.5f}", end=" of ")
print(f"{math.exp(cky.log_probability(words)):.5f}")
assert math.isclose(math.exp(small.log_probability(best)), 0.00384)
''')
md(r'''
The second number, $0.4 \cdot (0.0096 + 0.0048)$, is the probability of the sentence: the same table with a sum in place of the maximum. So the winner has the conditional probability $\tfrac23$. Notice that no noun had a say in it: put *wings* for *hats*, and both ways change by the same factor. A grammar whose symbols are plain labels attaches by habit ({ref}`ex-parse-habit`).

```{prf:theorem} CKY finds a best tree
:label: thm-parse-cky

For a grammar whose rules have two symbols, or one word, on the right side, {eq}`eq-parse-cky` gives the highest probability of any tree from $A$ over the words from $i$ to $j$. For $n$ words and $r$ rules it takes at most $r n^3 / 6$ products of three numbers.
```

```{admonition} Proof
:class: dropdown

By induction over $j - i$. One word: only the rule $A \to$ word makes it. More: the topmost rule of any tree over the stretch is some $A \to B\,C$, with a cut $k$ between the two parts, and the probability of the tree is the product of that rule's and of the two parts'. For a given rule and cut, the parts can be chosen independently of each other, because what $B$ becomes does not depend on $C$ (context-free), and all factors are at least 0. So the product is largest when each part is, which by induction are $b_{ik}(B)$ and $b_{kj}(C)$. The maximum over rules and cuts is therefore the maximum over all trees.

The number of triples $0 \le i < k < j \le n$ is $\binom{n+1}{3} = (n+1)\,n\,(n-1)/6 < n^3/6$, and each meets every rule at most once.
```

The number of trees, meanwhile, grows exponentially ({ref}`ex-parse-catalan`). Our code splits longer rules into rules of two symbols, which changes no probability, and adds rules of one symbol. Symbols are the last axis of an array, so one line of numpy tries all rules and all cuts of a stretch:
''')
code(r'''
show_source(CKY._table, docstring=False)
show_source(CKY._ways, docstring=False)
''')
md(r'''
## A tree on one line

The Transformer writes symbols from left to right, so the tree has to become a line. Walk around it, as {cite:t}`vinyals2015grammar` do: write `(NP` when a phrase begins, `)NP` when it ends, and for each word its tag. The words are in the sentence already.
''')
code(r'''
pair = tree_pair(by_noun)
print(pair.source)
print(pair.target)
assert delinearised(pair.target, pair.source.split()) == by_noun
show_source(delinearised, docstring=False)
''')
md(r'''
```{prf:theorem} Lines are trees
:label: thm-parse-line

A sentence of $n$ words and the line of its tree determine the tree. A string of symbols is the line of a tree over $n$ words if and only if, reading it with a stack of open labels: (1) each `)A` finds $A$ on top of the stack; (2) the stack is empty after the last symbol, and not before it; (3) no `(A` is followed at once by `)A`; (4) exactly $n$ symbols are tags.
```

```{admonition} Proof
:class: dropdown

The line of a word is its tag; the line of a phrase is `(A`, the lines of its parts, `)A`. Lines of trees have the four properties, by induction over the tree: within the lines of the parts the stack never falls below the label $A$, and comes back to it after each part; there is at least one part.

Conversely, let a string have the properties, by induction over its length. If the first symbol is a tag, the stack is empty after it, so by (2) it is the last one: the tree is a word. It cannot be a closing bracket, by (1). So it is `(A`, and by (2) this $A$ leaves the stack with the last symbol, which by (1) is `)A`. Cut what is between them wherever the stack holds $A$ alone. There is at least one piece, by (3), and each has properties (1) to (3), so by induction it is the line of one and only one tree. The string is the line of a phrase $A$ with these trees as parts, and of no other. Property (4) gives each tag its word.
```

The code above reads the string in exactly this way and says what is wrong. How likely is a line to be a tree by chance? Count all strings of one bracket and one tag, whatever the number of words:
''')
code(r'''
def is_tree(symbols):
    try:
        delinearised(" ".join(symbols), ["word"] * symbols.count("NN"))
    except ValueError:
        return False
    return True


for length in (3, 5, 7, 9):
    strings = itertools.product(["(X", ")X", "NN"], repeat=length)
    good = sum(map(is_tree, strings))
    print(f"{length} symbols: {good:3} of {3**length:6,} strings are trees")
assert good == 37
''')
md(r'''
Few, and the share falls with every symbol. So a model whose lines are trees has learned to count and to remember what is open. Where a line is no tree, we repair nothing: the sentence gets no tree, none of its phrases is found, and it is counted.

## How right is a tree?

Each phrase is a *bracket*: its label, its first word and its last. *Precision* is the part of the predicted brackets that are in the gold tree, *recall* the part of the gold brackets that are predicted, both over all test sentences together, and

```{math}
:label: eq-parse-f1
F_1 = \frac{2}{1/\text{precision} + 1/\text{recall}} = \frac{2 \cdot \text{matched}}{\text{gold} + \text{predicted}} .
```

Tags do not count, and punctuation is taken out first, as the standard program EVALB {cite:p}`sekine1997evalb` does it. (Our counts agree with those of the sample that comes with EVALB.) Let the second tree of {numref}`fig-parse-trees` be gold, and attach the scarf to the verb instead:
''')
code(r'''
wrong = delinearised(linearised(by_verb), by_noun.words)
score = compare_trees(by_noun, wrong)
print("missed:", *(brackets(by_noun) - brackets(wrong)))
print(f"{score.matched} matched, {score.gold} gold, {score.predicted} found")
print(f"precision {score.precision:.1f}, recall {score.recall:.1f}", end=", ")
print(f"F1 {score.f1:.1f}")
assert (score.precision, round(score.f1, 1)) == (100, 92.3)
''')
md(r'''
Seven gold brackets, six predicted, all six in the gold tree: precision 1, recall $6/7$, $F_1 = 12/13$. The one decision that mattered was wrong, and F1 is 92. So we also count sentences that are exactly right, and the hard choices by themselves.

## The best that anybody can do

Our sentences come from a probabilistic grammar of English of our own (`corpora/english_trees.py`). Its symbols know more than the trees show: NP^person is a noun phrase about a person, which may wear a scarf, and VP^see may have an instrument to see with.
''')
code(r'''
true = CKY(english_grammar())
habit = CKY(Grammar.from_trees(english_trees("valid")))
for thing in ("telescope", "scarf", "hammer"):
    sentence = f"he saw the man with the {thing} .".split()
    for name, parser in {"true grammar": true, "labels only": habit}.items():
        best = parser.derivation(sentence)
        log_p = parser.grammar.log_probability(best)
        p = math.exp(log_p - parser.log_probability(sentence))
        ((kind, _),) = open_choices(parser.parse(sentence))
        print(f"{thing:10} {name:13} {kind}, {p:.2f}")
''')
md(r'''
The number is the probability of the tree given the sentence. The second grammar is a *treebank grammar* {cite:p}`charniak1996tree`: its rules are read off 1,000 trees, each with the share that it has there, and it sees labels only. It attaches all three phrases to the verb, and is equally sure of each. The true grammar tells them apart. But even it is not sure about the hammer, since people with hammers exist: the words leave the question open.

```{prf:theorem} The ceiling
:label: thm-parse-ceiling

Let sentences and trees be drawn together, and $P(t \mid s)$ be the probability of the tree $t$ given the sentence $s$. A parser $f$ is exactly right with probability $\mathbb E\,[P(f(s) \mid s)] \le \mathbb E\,[\max_t P(t \mid s)]$, with equality if and only if $f(s)$ is, with probability 1, a most probable tree.
```

```{admonition} Proof
:class: dropdown

Given $s$, the parser answers $f(s)$, and the gold tree equals it with probability $P(f(s) \mid s)$, however the parser was found, as long as it does not know the gold tree. This is at most the maximum over $t$. Take the mean over $s$; a difference on a set of sentences of positive probability remains in the mean.
```

CKY with the true grammar is that most probable tree, and it tells its own chance of being right without seeing a gold tree:
''')
code(r'''
tests = english_trees("test")[:200]
found = [true.derivation(tree.words) for tree in tests]
sure = [
    true.grammar.log_probability(best) - true.log_probability(tree.words)
    for best, tree in zip(found, tests, strict=True)
]
print(f"expected {100 * mean(map(math.exp, sure)):.0f} % exactly right")
parsers = {
    "true grammar": [true.parse(tree.words) for tree in tests],
    "right-branching": [right_branching(t.leaves, label="VP") for t in tests],
}
scores = {name: bracket_score(tests, own) for name, own in parsers.items()}
for name, score in scores.items():
    print(f"{name:15} exact {score.exact_match:.1f}, F1 {score.f1:.1f}")
''')
md(r'''
Below stands the usual floor: right-branching trees, in which every phrase is a word and all that follows it.

The ceiling is one of exact matches, and of expectations: on a given test set somebody may be luckier. It is no ceiling of F1. The tree with the best expected F1 can be another one, because a tree that is probably wrong may share brackets with many:
''')
code(r'''
texts = {
    "(S (X (X a) (X b)) (X (X c) (X d)))": 0.4,
    "(S (X (X (X a) (X b)) (X c)) (X d))": 0.3,
    "(S (X (X a) (X (X b) (X c))) (X d))": 0.3,
}
chance = {next(parse_trees(text)): p for text, p in texts.items()}
for tree, own in chance.items():
    f1 = sum(p * compare_trees(gold, tree).f1 for gold, p in chance.items())
    print(f"probability {own}, expected F1 {f1:.0f}")
''')
md(r'''
The most probable tree is not the one with the best expected F1; it is the second, which shares a bracket with each of the others.

## The experiment

??
''')
md(r'''
### With the real trees

The Penn Treebank needs a licence, so none of its trees are here, and we cite what the paper reports for section 23 of its Wall Street Journal part: 91.3 from the 40,000 trees of the other sections, and 92.7 with 17 million trees that other parsers had made (its Table 4). Who has the files trains the paper's setting with `annotated-transformer train wsj_parsing`; `corpora/wsj.py` says where they go and how F1 is computed. The recipe was tried with trees of our own in the same form, and never with the real ones. Who has the sample of 199 files that NLTK offers finds in `corpora/treebank.py` the lines that read it. This is what such files look like, and what is left when the reader has removed traces (words that are not spoken), functions (`-SBJ`) and the outermost bracket:
''')
code(r'''
(read,) = parse_trees("""
( (S (NP-SBJ-1 (DT The) (NN clock))
     (VP (VBD was) (VP (VBN wound) (NP (-NONE- *-1))
         (PP (IN by) (NP-LGS (PRP$ its) (NN owner)))))
     (. .)))
""")
print(*prepared(read).words)
print(linearised(prepared(read)))
for text in ("()", "(S (NN dog)"):
    try:
        list(parse_trees(text))
    except ValueError as error:
        print(error)
try:
    true.parse("he saw the unicorn .".split())
except ValueError as error:
    print(error)
''')
md(r'''
The last lines are what bad input gets: an empty tree, a bracket that stays open, a sentence without a tree.

## What people get wrong

??

## What to keep

??

## Exercises

```{exercise} How many trees
:label: ex-parse-catalan

Let every phrase have two parts, and forget the labels. How many trees are there over $n$ words? Find a recurrence, and the number for 13 words, the mean length of our sentences.
```

```{solution-start} ex-parse-catalan
:class: dropdown
```

The topmost phrase is cut after $k$ words, and both sides are free: $c_n = \sum_{k=1}^{n-1} c_k \, c_{n-k}$ with $c_1 = 1$. These are Catalan's numbers, which grow nearly like $4^n$. CKY has the same recurrence, with a maximum in place of the sum.
''')
code(r'''
count = [0, 1]
for n in range(2, 14):
    count.append(sum(count[k] * count[n - k] for k in range(1, n)))
print(count[3], count[5], count[13])
assert count[13] == math.comb(24, 12) // 13
''')
md(r'''
```{solution-end}
```

```{exercise} Attachment by habit
:label: ex-parse-habit

Let a sentence be V NP PP over fixed tags, in the small grammar above, with any words. Show that the ratio of the probabilities of its two trees is the same for all words. Which rules would have to be split into several, and how, for the words to matter?
```

```{solution} ex-parse-habit
:class: dropdown

Both trees use the same words with the same tags, hence the same factors for words, NP → N, PP → P NP, V NP and S. They differ in VP → VP PP (0.4) against NP → NP PP (0.2), so the ratio is 2. It depends on the words when the symbols do: with NP^person → NP^person PP^wear and VP^see → VP^see PP^optic the two rules have probabilities of their own for each kind of noun, verb and phrase, as in our true grammar. What is split needs more trees to be counted.
```

```{exercise} Two factors
:label: ex-parse-beyond

A parser finds all gold brackets and predicts one too many in every sentence of ten gold brackets. What are precision, recall, F1 and exact match? And one that predicts half of the sentences perfectly and writes no tree for the others?
```

```{solution} ex-parse-beyond
:class: dropdown

The first: precision $10/11$, recall 1, F1 $20/21 = 95.2$, exact match 0. The second: precision 1, recall $1/2$, F1 $2/3$, exact match 50. Which is better depends on what the trees are for, so both numbers belong in a table. (EVALB leaves sentences without a tree out; the second parser would have F1 100.)
```

```{exercise} Repair
:label: ex-parse-repair

Someone suggests to close all open brackets at the end of a line, and to drop closing brackets that do not fit. Which lines of the second tree of {numref}`fig-parse-trees` with one symbol removed become trees again? What would such a repair hide?
```

```{solution-start} ex-parse-repair
:class: dropdown
```

A lost tag is never mended, since one word has no place. A lost opening bracket mostly leaves a tree, and always a wrong one. A lost closing bracket is mended where several phrases end together, and gives another tree elsewhere. So the repair would count eight wrong trees as answers, and nobody would see that the model had failed to write them.
''')
code(r'''
def closed(symbols):
    """The symbols, without closing brackets that do not fit, all closed."""
    kept, stack = [], []
    for symbol in symbols:
        if symbol[0] == ")":
            if not stack or stack[-1] != symbol[1:]:
                continue
            stack.pop()
        elif symbol[0] == "(":
            stack.append(symbol[1:])
        kept.append(symbol)
    return kept + [f"){label}" for label in reversed(stack)]
''')
code(r'''
symbols = linearised(by_noun).split()
again = Counter()
for i, symbol in enumerate(symbols):
    line = " ".join(closed(symbols[:i] + symbols[i + 1 :]))
    kind = symbol[0] if symbol[0] in "()" else "tag"
    try:
        mended = delinearised(line, by_noun.words)
        again[kind, "gold" if mended == by_noun else "other tree"] += 1
    except ValueError:
        again[kind, "no tree"] += 1
for (kind, what), n in sorted(again.items()):
    print(f"without one {kind}: {n} times {what}")
assert sum(n for (_, what), n in again.items() if what == "other tree") == 8
''')
md(r'''
```{solution-end}
```

## Where this goes next

??
''')
for number, cell in enumerate(cells):
    cell["id"] = f"cell-{number:03d}"
out = ROOT / "book/parsing.ipynb"
notebook = {"cells": cells, "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}, "language_info": {"name": "python"}}, "nbformat": 4, "nbformat_minor": 5}
out.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", "utf-8")
