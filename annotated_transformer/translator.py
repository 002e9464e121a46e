"""Text in, text out: a trained model with its tokenizer, and what it attends to.

Sentences are checked, sorted by length into batches and translated by beam search (paper section
6.1); the translations come back in the order in which the sentences were given.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Literal, get_args, overload

import torch
from jaxtyping import Int
from torch import Tensor
from tqdm import tqdm

from annotated_transformer.alignment import WordAttention, between_words
from annotated_transformer.checks import check_choice, check_count, check_number, is_whole, shown
from annotated_transformer.checks.state import check_model, check_tokenizer
from annotated_transformer.decoding.doubt import Coverage
from annotated_transformer.decoding.hypotheses import Hypothesis
from annotated_transformer.decoding.search import beam_search
from annotated_transformer.decoding.workers import Workers, in_batches, padded
from annotated_transformer.fast.int8 import in_precision
from annotated_transformer.inspection import evaluation_mode, record_attention
from annotated_transformer.shipped import load
from annotated_transformer.text import TextPolicy, TrainingText
from annotated_transformer.tokenizer import Tokenizer
from annotated_transformer.transformer import Transformer
from annotated_transformer.translation import (
    PreparedText,
    Translation,
    check_accepted,
    prepare_pairs,
    prepare_texts,
    warn_of_unfinished,
)

Step = Literal["output", "input"]
"""Which row of the cross-attention belongs to a target token (see `Translator.attentions`)."""


def check_step(step: object) -> None:
    """Refuse a step that is none. Raises ValueError."""
    check_choice("step", step, get_args(Step))


def check_translator(translator: object) -> None:
    """Refuse a model alone, which has no tokenizer. Raises ValueError."""
    if not hasattr(translator, "translations"):
        raise ValueError(
            f"the translator is of type {type(translator).__name__}; expected a Translator, such "
            "as Translator(model, tokenizer)"
        )


class Translator:
    """Translates sentences, one string each.

    Args:
        model: a trained model; it stays on its device.
        tokenizer: the tokenizer that it was trained with.
        beam_size: hypotheses kept in each step; 1 with alpha 0 is greedy search.
        alpha: exponent of the length penalty.
        batch_size: sentences translated at the same time.
        text: what its training text had; without it, nothing is called unknown or refused.
        threshold: of the doubt above which a translation is doubtful (decoding/doubt.py), if given.
        coverage: tells words that are left out (decoding/doubt.py).
        workers: processes that translate side by side, for many sentences on a CPU.

    Raises:
        ValueError: `beam_size`, `batch_size` or `workers` is below 1, workers are asked of a GPU,
            `alpha` or `threshold` is no finite number, 0 or more, or the tokenizer's size is not
            the model's.
    """

    def __init__(
        self,
        model: Transformer,
        tokenizer: Tokenizer,
        *,
        beam_size: int = 4,
        alpha: float = 0.6,
        batch_size: int = 32,
        text: TrainingText | None = None,
        threshold: float | None = None,
        coverage: Coverage | None = None,
        workers: int = 1,
    ) -> None:
        self.beam_size = check_count("beam_size", beam_size)
        self.alpha = check_number("alpha", alpha)
        self.batch_size = check_count("batch_size", batch_size)
        if threshold is not None:
            threshold = check_number("threshold", threshold)
        if not isinstance(coverage, Coverage | None):
            raise ValueError(f"coverage is {shown(coverage)}; expected a Coverage, or None")
        check_model(model)
        check_tokenizer(tokenizer, model.config.vocab_size)
        if not isinstance(text, TrainingText | None):
            raise ValueError(f"text is {shown(text)}; expected a TrainingText, or None")
        self.model = model
        self.tokenizer = tokenizer
        self.policy = TextPolicy(text)
        self.threshold = threshold
        self.coverage = coverage
        self.workers = Workers(workers, next(model.parameters()).device)

    @classmethod
    def load(
        cls,
        name_or_path: Path | str,
        *,
        beam_size: int = 4,
        alpha: float = 0.6,
        batch_size: int = 32,
        device: torch.device | str = "cpu",
        precision: str = "float32",
        workers: int = 1,
    ) -> "Translator":
        """Load a model from its directory or that of its run, or a model in the package by name.

        With `precision` "int8" the model is rounded, which makes wide models faster on a CPU
        (fast/int8.py). Only the command line takes `beam_size` and `alpha` of the model's run.

        Raises:
            FileNotFoundError, ValueError: as `load_model` and `in_precision` do.
        """
        model, rest = load(name_or_path, device)
        return cls(
            in_precision(model, precision),
            beam_size=beam_size,
            alpha=alpha,
            batch_size=batch_size,
            workers=workers,
            **rest,
        )

    @overload
    def __call__(self, text: str, *, progress: bool = False) -> str: ...
    @overload
    def __call__(self, text: list[str], *, progress: bool = False) -> list[str]: ...
    def __call__(self, text: str | list[str], *, progress: bool = False) -> str | list[str]:
        """Translate one sentence, or each sentence of a list.

        A logged warning counts the translations that the maximum length cut off.

        Raises:
            ValueError: a text, named by its number from 1, is refused; or as `translations` does.
        """
        texts = text if isinstance(text, list | tuple) else [text]
        prepared = self._prepare(texts)
        check_accepted(prepared, "line")
        translations = [each.text for each in self._translate(prepared, progress)]
        return translations[0] if isinstance(text, str) else translations

    def translations(self, texts: Sequence[str], *, progress: bool = False) -> list[Translation]:
        """Translate each text, and say what was changed, unknown, doubted or refused.

        Several sentences are translated one by one where training had one on a line.

        Raises:
            ValueError: the texts are one string, or one of them is none; or a parameter of the
                search is out of range.
        """
        return self._translate(self._prepare(texts), progress)

    def _prepare(self, texts: Sequence[str]) -> list[PreparedText]:
        limit = self.model.config.max_length
        return prepare_texts(texts, self.policy, self.tokenizer.source_ids, "line", limit)

    def _translate(self, texts: list[PreparedText], progress: bool) -> list[Translation]:
        sentences = [ids for text in texts for ids in text.ids]
        best = iter([n_best[0] for n_best in self._search(sentences, 1, progress)])
        limits = self.threshold, self.policy.training_text.longest_tokens, self.coverage
        translations = [
            text.translated([next(best) for _ in text.ids], self.tokenizer, *limits)
            for text in texts
        ]
        warn_of_unfinished(translations)
        return translations

    def hypotheses(
        self, texts: Sequence[str], *, n_best: int = 1, progress: bool = False
    ) -> list[list[Hypothesis]]:
        """Return the `n_best` hypotheses of each text, which is one sentence, best first.

        Raises:
            ValueError: a text, named by its number from 1, is refused or is more than one sentence;
                or as `translations` does.
        """
        prepared = self._prepare(texts)
        check_accepted(prepared, "line")
        for number, each in enumerate(prepared, start=1):
            if len(each.ids) > 1:
                raise ValueError(
                    f"line {number} has {len(each.ids)} sentences; hypotheses are those of one"
                )
        return self._search([each.ids[0] for each in prepared], n_best, progress)

    def _search(
        self, sources: list[list[int]], n_best: int, progress: bool
    ) -> list[list[Hypothesis]]:
        """Return the hypotheses of each row of ids, best first."""
        search = partial(beam_search, beam_size=self.beam_size, alpha=self.alpha, n_best=n_best)
        batches = in_batches(sources, self.batch_size, self.workers.count)
        rows = [[sources[i] for i in batch] for batch in batches]
        results = self.workers.search(self.model, search, rows)
        hypotheses: dict[int, list[Hypothesis]] = {}
        for batch in tqdm(batches, "translate", unit="batch", disable=not progress):
            hypotheses.update(zip(batch, next(results), strict=True))
        return [hypotheses[i] for i in range(len(sources))]

    def attention(
        self, source: str, target: str | None = None, *, layer: int = -1, step: Step = "output"
    ) -> WordAttention:
        """Return how `target`, or the model's own translation if None, attends to `source`.

        Arguments and errors are those of `attentions`. The translation is tokenized again.
        """
        if target is None:
            target = self(source)
        return self.attentions([(source, target)], layer=layer, step=step)[0]

    def attentions(
        self,
        pairs: Sequence[tuple[str, str]],
        *,
        layer: int = -1,
        step: Step = "output",
        progress: bool = False,
    ) -> list[WordAttention]:
        """Return the cross-attention between the words of given source and target sentences.

        The decoder is fed the target (teacher forcing). A target token is the output at one
        position and the input at the next: `step` "output" takes the row that produced the token,
        "input" the row that has just read it. `layer` of the decoder counts from 0, or from the
        end if negative.

        Raises:
            ValueError: no such layer or step, or a sentence that `hypotheses` would refuse.

        Source: Chen et al. 2020 compare the two steps (Naive-Att and Shift-Att).
        """
        check_step(step)
        name = f"decoder.layers.{self.layer_number(layer)}.cross_attention"
        shift = get_args(Step).index(step)
        limit = self.model.config.max_length
        texts, sources, targets = prepare_pairs(pairs, self.policy, self.tokenizer, limit)
        attentions: dict[int, WordAttention] = {}
        batches = in_batches(sources, self.batch_size)
        for batch in tqdm(batches, "attend", unit="batch", disable=not progress):
            with evaluation_mode(self.model), record_attention(self.model) as record:
                self.model(*(self._padded([ids[i] for i in batch]) for ids in (sources, targets)))
            mean_of_heads = record[name].mean(dim=1).float().cpu()
            for i, weights in zip(batch, mean_of_heads, strict=True):
                source, target = texts[i]
                rows = weights[shift:, : len(sources[i])]
                attentions[i] = between_words(self.tokenizer, source, target, rows)
        return [attentions[i] for i in range(len(texts))]

    def layer_number(self, layer: int) -> int:
        """Return the number of a decoder layer from 0. Raises ValueError if it does not exist."""
        # Those that are there, also where some were taken out; another model may have no such list.
        layers = getattr(getattr(self.model, "decoder", None), "layers", None)
        n = self.model.config.n_layers if layers is None else len(layers)
        if not is_whole("layer", layer) or not -n <= layer < n:
            raise ValueError(f"layer is {layer!r}; expected {-n} to {n - 1}, a whole number")
        return int(layer) % n

    def _padded(self, rows: list[list[int]]) -> Int[Tensor, "batch length"]:
        device = next(self.model.parameters()).device
        return padded(rows, self.model.config.padding_id, device)
