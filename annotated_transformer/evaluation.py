"""Scores of translations: BLEU, chrF, exact match, and alignment error of the attention.

BLEU and chrF are sacrebleu's, on generated text and with their signatures, because scores from
different tokenisations or implementations cannot be compared (Post 2018). Every score carries the
signature that says how it was computed.
"""

import logging
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import compress

from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from annotated_transformer.alignment import WordAttention, aligned_words, alignment_error_rate
from annotated_transformer.checks import check_choice, is_whole, shown
from annotated_transformer.corpora import SentencePair
from annotated_transformer.text import Tally, tidy
from annotated_transformer.translation import checked_texts
from annotated_transformer.translator import Step, Translator, check_step, check_translator

_log = logging.getLogger(__name__)

TOKENIZERS = ("13a", "char", "intl", "none", "zh")
"""sacrebleu's tokenizers for BLEU that need neither a download nor another program."""


@dataclass(frozen=True, kw_only=True)
class Score:
    """One number that says how good something is, and how it was computed."""

    metric: str
    value: float
    signature: str


def scores(
    hypotheses: Sequence[str], references: Sequence[str], *, tokenize: str = "13a"
) -> list[Score]:
    """Compare translations with one reference each: BLEU, chrF2 and exact match, all in percent.

    `tokenize` is sacrebleu's tokenizer for BLEU. The default, 13a, separates punctuation from words
    and splits at spaces, so that Korean words keep their particles; "none" is for text that is
    tokenized already, "char" counts characters. chrF uses no tokenizer. Both sides are compared in
    Unicode's composed form (NFC); a logged warning says where that changed a reference.

    Raises:
        ValueError: no sentences, not as many hypotheses as references, a string in place of a list
            of them, an unknown tokenizer.

    Source: Papineni et al. 2002 (BLEU), Popović 2015 (chrF), Post 2018 (sacrebleu).
    """
    hypotheses = _composed(hypotheses, "hypotheses")
    references = _composed(references, "references")
    if len(hypotheses) != len(references):
        raise ValueError(f"{len(hypotheses)} hypotheses for {len(references)} references")
    if not hypotheses:
        raise ValueError("there are no sentences to score")
    check_choice("tokenize", tokenize, TOKENIZERS)
    result = []
    for name, metric in (("BLEU", BLEU(tokenize=tokenize)), ("chrF", CHRF())):
        value = metric.corpus_score(hypotheses, [references]).score
        result.append(Score(metric=name, value=value, signature=str(metric.get_signature())))
    equal = sum(h == r for h, r in zip(hypotheses, references, strict=True))
    exact = 100 * equal / len(references)
    signature = f"case:mixed|n:{len(references)}"
    return [*result, Score(metric="exact_match", value=exact, signature=signature)]


def evaluate(
    translator: Translator,
    pairs: Sequence[SentencePair],
    *,
    split: str,
    tokenize: str = "13a",
    layer: int = -1,
    step: Step = "output",
    progress: bool = False,
) -> list[dict[str, str | float]]:
    """Translate the sources, compare with the targets; return scores in the form of a record.

    Each score is {"split", "metric", "value", "signature"}, the value in percent, rounded to two
    decimals. If any pair has a gold alignment, the alignment error rate (AER) is scored too: the
    decoder is fed the references of those pairs, and the cross-attention of one layer, averaged
    over its heads, links each target word to one source word. `layer` and `step` are those of
    `Translator.attentions`. A source that the translator refuses counts as an empty translation; a
    logged warning says how many there are. References are read as the lines of a corpus are
    (`text.tidy`), and a warning says what that changed.

    Raises:
        ValueError: no pairs, a reference that no corpus may have, an alignment with words that a
            pair has not, or an unknown layer, step or tokenizer.
    """
    check_translator(translator)
    if not isinstance(pairs, Iterable):
        raise ValueError(f"{shown(pairs)} was given; expected a list of SentencePair")
    pairs = list(pairs)  # what can be read once is read here
    if not pairs:
        raise ValueError(f"the split {split!r} has no sentences to evaluate")
    for number, pair in enumerate(pairs, start=1):
        if not hasattr(pair, "source"):
            raise ValueError(
                f"pair {number} is {shown(pair)}; expected SentencePair(source, target)"
            )
    checked_texts([pair.source for pair in pairs], "source")
    references = _tidied([pair.target for pair in pairs], split)
    check_choice("tokenize", tokenize, TOKENIZERS)
    translator.layer_number(layer)  # also where no pair has an alignment to look at
    check_step(step)
    accepted = _accepted(translator, pairs, split)
    read = compress(enumerate(pairs, start=1), accepted)
    aligned = {number: pair for number, pair in read if pair.alignment is not None}
    # Before the search: this is quick, and finds a line, a link or a layer that is refused.
    errors = [_attention_error(translator, aligned, layer, step, progress)] if aligned else []
    translations = translator.translations([pair.source for pair in pairs], progress=progress)
    results = scores([each.text for each in translations], references, tokenize=tokenize) + errors
    return [{"split": split, **asdict(score), "value": round(score.value, 2)} for score in results]


def _gold(number: int, pair: SentencePair, words: WordAttention) -> set[tuple[int, int]]:
    """Return the links of a pair between the words that the model reads.

    Links to words that are not there would count as errors of the model: they are refused.
    """
    counts = len(words.source_words), len(words.target_words)
    for link in pair.alignment or ():
        sound = isinstance(link, tuple | list) and len(link) == 2
        if not sound or not all(
            is_whole("a link", i) and 0 <= i < n for i, n in zip(link, counts, strict=True)
        ):
            raise ValueError(
                f"pair {number} has the link {shown(link)}; expected (source word, target word), "
                f"from 0: its texts have {counts[0]} and {counts[1]} words"
            )
    return {(source, target) for source, target in pair.alignment or ()}


def _composed(texts: Sequence[str], name: str) -> list[str]:
    """Return the texts in Unicode's composed form, and log how many that changed."""
    texts = checked_texts(texts, name)
    composed = [unicodedata.normalize("NFC", text) for text in texts]
    changed = sum(a != b for a, b in zip(texts, composed, strict=True))
    if changed:
        _log.warning(
            "%d of %d %s are composed (NFC) before they are compared", changed, len(composed), name
        )
    return composed


def _tidied(references: Sequence[str], split: str) -> list[str]:
    """Return references as the text of a corpus is read, and log what that changed."""
    tidied, changes = [], Tally()
    for number, text in enumerate(checked_texts(references, "target"), start=1):
        try:
            plain, changed = tidy(text)
        except ValueError as error:
            raise ValueError(f"target {number}: {error}") from error
        tidied.append(plain)
        changes.add(number, changed)
    for sentence in changes.sentences():
        _log.warning("references of %s, %s", split, sentence)
    return tidied


def _accepted(translator: Translator, pairs: Sequence[SentencePair], split: str) -> list[bool]:
    """Return whether the model reads each source, and log what it refuses or changes."""
    readings = [translator.policy.read(pair.source) for pair in pairs]
    changes = Tally()
    for number, reading in enumerate(readings, start=1):
        changes.add(number, reading.changes)
    for sentence in changes.sentences():
        _log.warning("%s, %s", split, sentence)
    refused = [n for n, reading in enumerate(readings, start=1) if reading.refusal]
    if refused:
        about = len(refused), len(readings), split, refused[0], readings[refused[0] - 1].refusal
        _log.warning(
            "%d of %d sources of %s are refused and count as not translated; line %d: %s", *about
        )
    return [not reading.refusal for reading in readings]


def _attention_error(
    translator: Translator, pairs: dict[int, SentencePair], layer: int, step: Step, progress: bool
) -> Score:
    """Compute the alignment error rate, in percent, of the cross-attention to the references.

    pairs: by their number in the split, from 1, for messages.
    """
    texts = [(pair.source, pair.target) for pair in pairs.values()]
    attentions = translator.attentions(texts, layer=layer, step=step, progress=progress)
    predicted = [aligned_words(attention.weights) for attention in attentions]
    gold = [_gold(n, pair, at) for (n, pair), at in zip(pairs.items(), attentions, strict=True)]
    return Score(
        metric="AER",
        value=100 * alignment_error_rate(predicted, gold),
        signature=f"attention:cross|layer:{translator.layer_number(layer)}|heads:mean|step:{step}|"
        f"decoding:forced|links:argmax|n:{len(pairs)}",
    )
