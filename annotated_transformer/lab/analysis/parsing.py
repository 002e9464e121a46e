"""Parsing with a Transformer: the model reads a sentence and writes the line of its tree (6.3).

Chapter: *Parsing*. What it writes is taken as it is. A line that is no tree of
the sentence is no tree: nothing is added, dropped or closed for it.
"""

from collections import defaultdict
from collections.abc import Sequence

import torch

from annotated_transformer.checks import check_list
from annotated_transformer.decoding.hypotheses import Hypothesis
from annotated_transformer.decoding.search import beam_search, greedy_search
from annotated_transformer.lab.corpora.treebank import Tree, delinearised
from annotated_transformer.translator import Translator

EXTRA_LENGTH = 300
"""Section 6.3: the maximum output length is the input length plus this many tokens."""
FAULTS = ("no end", "number of words", "brackets")
"""What may be wrong with a line that is no tree; only the first is counted."""


def parsed(
    translator: Translator, sentences: Sequence[Sequence[str]], *, extra_length: int = EXTRA_LENGTH
) -> list[Tree | None]:
    """Return the tree that the model writes for each sentence, or None where it writes none.

    Arguments and errors are those of `tree_lines`.
    """
    lines = tree_lines(translator, sentences, extra_length=extra_length)
    return trees_of(lines, sentences)


def tree_lines(
    translator: Translator, sentences: Sequence[Sequence[str]], *, extra_length: int = EXTRA_LENGTH
) -> list[str | None]:
    """Return the line that the model writes for each sentence, or None where it comes to no end.

    The translator's `beam_size` and `alpha` are those of the search; with a beam
    of one it is greedy. Lengths count tokens and the end.

    Args:
        translator: a model that was trained on lines of trees.
        sentences: the words of each.
        extra_length: an output may be longer than its input by so much, as far
            as the model's `max_length` allows.

    Raises:
        ValueError: a sentence is too long for the model.
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
    line_by_number: dict[int, str | None] = {}
    # A batch has sentences of one length, because they share the limit.
    for length, numbers in by_length.items():
        longest = min(length + extra_length, limit)
        for start in range(0, len(numbers), translator.batch_size):
            batch = numbers[start : start + translator.batch_size]
            rows = [sources[number] for number in batch]
            for number, best in zip(batch, _best(translator, rows, longest), strict=True):
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


def _best(translator: Translator, rows: list[list[int]], longest: int) -> list[Hypothesis]:
    model = translator.model
    source = torch.tensor(rows, device=next(model.parameters()).device)
    if translator.beam_size == 1:
        return greedy_search(model, source, max_length=longest)
    hypotheses = beam_search(
        model, source, beam_size=translator.beam_size, alpha=translator.alpha, max_length=longest
    )
    return [best for best, *_ in hypotheses]
