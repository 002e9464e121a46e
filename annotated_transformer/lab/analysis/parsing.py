"""Parsing with a Transformer: the model reads a sentence and writes the line of its tree (6.3).

Chapter: *Parsing*. What it writes is taken as it is. A line that is no tree of
the sentence is no tree: nothing is added, dropped or closed for it. But the
search may be told to write trees only.
"""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import torch

from annotated_transformer.decoding.hypotheses import Hypothesis
from annotated_transformer.decoding.prefixes import EncoderDecoder
from annotated_transformer.decoding.search import beam_search, greedy_search
from annotated_transformer.lab.analysis.trees_only import TreePrefix, TreesOnly
from annotated_transformer.lab.checks import check_list
from annotated_transformer.lab.corpora.treebank import Tree, delinearised
from annotated_transformer.translator import Translator

EXTRA_LENGTH = 300
"""Section 6.3: the maximum output length is the input length plus this many tokens."""
PARSER = Path(__file__).parents[1] / "models/parser"
"""The parser in the laboratory; README.md beside it says how it was trained."""
FAULTS = ("no end", "number of words", "brackets")
"""What may be wrong with a line that is no tree; only the first is counted."""


def load_parser(*, beam_size: int = 1, alpha: float = 0.3) -> Translator:
    """Load the parser in the laboratory, which has learned from 20,000 trees of `english_trees`.

    Raises:
        FileNotFoundError, ValueError: as `Translator.load` does.
    """
    return Translator.load(PARSER, beam_size=beam_size, alpha=alpha)


def parsed(
    translator: Translator,
    sentences: Sequence[Sequence[str]],
    *,
    extra_length: int = EXTRA_LENGTH,
    trees_only: bool = False,
) -> list[Tree | None]:
    """Return the tree that the model writes for each sentence, or None where it writes none.

    Arguments and errors are those of `tree_lines`.
    """
    lines = tree_lines(translator, sentences, extra_length=extra_length, trees_only=trees_only)
    return trees_of(lines, sentences)


def tree_lines(
    translator: Translator,
    sentences: Sequence[Sequence[str]],
    *,
    extra_length: int = EXTRA_LENGTH,
    trees_only: bool = False,
) -> list[str | None]:
    """Return the line that the model writes for each sentence, or None where it comes to no end.

    The translator's `beam_size` and `alpha` are those of the search; with a beam
    of one it is greedy. Lengths count tokens and the end.

    Args:
        translator: a model that was trained on lines of trees.
        sentences: the words of each.
        extra_length: an output may be longer than its input by so much, as far
            as the model's `max_length` allows.
        trees_only: whether the search lets only those symbols through with which
            a line can still become a tree of its sentence. Then every line is one.

    Raises:
        ValueError: a sentence is too long for the model; or only trees are
            wanted and it has no words, its line no room for a tree, or the
            tokenizer no token for each symbol.
    """
    check_list("sentences", sentences)
    tokenizer, limit = translator.tokenizer, translator.model.config.max_length
    by_length: dict[int, list[int]] = defaultdict(list)
    sources = []
    for number, words in enumerate(sentences):
        check_list(f"sentences[{number}]", words)
        sources.append(tokenizer.source_ids(" ".join(words)))
        by_length[len(sources[-1])].append(number)
        if len(sources[-1]) > limit:
            raise ValueError(
                f"the sentence {' '.join(words)[:60]!r} has {len(sources[-1])} tokens, "
                f"the model takes at most {limit} (max_length)"
            )
        if trees_only:
            _check_room(number, words, min(len(sources[-1]) + extra_length, limit))
    line_by_number: dict[int, str | None] = {}
    # A batch has sentences of one length, because they share the limit.
    for length, numbers in by_length.items():
        longest = min(length + extra_length, limit)
        for start in range(0, len(numbers), translator.batch_size):
            batch = numbers[start : start + translator.batch_size]
            rows = [sources[number] for number in batch]
            counts = [len(sentences[number]) for number in batch] if trees_only else None
            found = _best(translator, rows, longest, counts)
            for number, best in zip(batch, found, strict=True):
                line = tokenizer.decode(best.ids)
                line_by_number[number] = line if best.finished else None
    return [line_by_number[number] for number in range(len(sentences))]


def trees_of(lines: Sequence[str | None], sentences: Sequence[Sequence[str]]) -> list[Tree | None]:
    """Return the tree of each line; None for a line that is no tree, or did not end."""
    check_list("lines", lines)
    check_list("sentences", sentences)
    return [
        None if line is None or why_no_tree(line, words) else delinearised(line, words)
        for line, words in zip(lines, sentences, strict=True)
    ]


def why_no_tree(line: str | None, words: Sequence[str]) -> str | None:
    """Return what is wrong with a line, one of `FAULTS`; None if it is a tree of these words."""
    check_list("words", words)
    if line is None:
        return "no end"
    try:
        delinearised(line, words)
    except ValueError:
        tags = sum(symbol[0] not in "()" for symbol in line.split())
        return "brackets" if tags == len(words) else "number of words"
    return None


def _check_room(number: int, words: Sequence[str], longest: int) -> None:
    """Refuse a sentence of which no line of so many symbols is a tree."""
    if not words:
        raise ValueError(f"sentences[{number}] is empty; a tree needs at least one word")
    if (needs := TreePrefix(len(words), longest).needs) > longest:
        raise ValueError(
            f"the line of sentences[{number}] may have {longest} symbols with its end, and a tree "
            f"of its {len(words)} words needs {needs}; give a larger extra_length"
        )


def _best(
    translator: Translator, rows: list[list[int]], longest: int, words: list[int] | None
) -> list[Hypothesis]:
    """Search the best line of each row, or the best tree of so many words."""
    model: EncoderDecoder = translator.model
    source = torch.tensor(rows, device=next(translator.model.parameters()).device)
    if words is not None:
        model = TreesOnly(model, translator.tokenizer, words, longest)
    if translator.beam_size == 1:
        return greedy_search(model, source, max_length=longest)
    hypotheses = beam_search(
        model, source, beam_size=translator.beam_size, alpha=translator.alpha, max_length=longest
    )
    return [best for best, *_ in hypotheses]
