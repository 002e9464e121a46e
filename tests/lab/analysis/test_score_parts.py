"""Content and position in the scores: against recorded weights, and against numpy's covariances."""

import numpy as np
import pytest
import torch
from tiny import tiny_translator

from annotated_transformer.lab.analysis.score_parts import (
    by_offset,
    constant_query,
    part_shares,
    score_parts,
)
from annotated_transformer.lab.analysis.teacher_forcing import teacher_forced_attention

TEXTS = {"encoder": ["I am a student", "a student"], "decoder": ["나는 학생이다", "학생이다"]}


@pytest.fixture
def translator():
    translator = tiny_translator()
    translator.model.double()
    return translator


@pytest.mark.parametrize("side", ["encoder", "decoder"])
def test_the_parts_sum_to_the_scores_of_the_model(translator, side):
    source, target = TEXTS["encoder"][0], TEXTS["decoder"][0]
    record = teacher_forced_attention(translator, source, target)
    scores = sum(score_parts(translator, TEXTS[side][0], side).values())
    if side == "decoder":
        scores = scores.masked_fill(torch.ones_like(scores[0]).triu(1).bool(), -torch.inf)
    weights = record[f"{side}.layers.0.self_attention"]
    assert torch.allclose(scores.softmax(-1), weights)


@pytest.mark.parametrize("side", ["encoder", "decoder"])
def test_shares_are_covariances_over_variances_and_sum_to_one(translator, side):
    shares = part_shares(translator, TEXTS[side], side)
    assert torch.allclose(sum(shares.values()), torch.ones(2).double())
    for head in range(2):
        columns = {name: [] for name in [*shares, "whole"]}
        for text in TEXTS[side]:
            parts = {n: x[head].numpy() for n, x in score_parts(translator, text, side).items()}
            parts["whole"] = sum(parts.values())
            for name, scores in parts.items():
                for i, row in enumerate(scores):
                    seen = row[: i + 1] if side == "decoder" else row
                    columns[name].extend(seen - seen.mean())
        whole = np.array(columns["whole"])
        for name, share in shares.items():
            assert share[head] == pytest.approx(columns[name] @ whole / (whole @ whole))


def test_without_positions_content_has_the_whole_share(translator):
    translator.model.source_positions.encoding.zero_()
    shares = part_shares(translator, TEXTS["encoder"])
    expected = {"content-content": 1.0}
    for name, share in shares.items():
        assert torch.allclose(share, torch.full((2,), expected.get(name, 0.0)).double())


def test_a_constant_query_keeps_all_where_all_positions_are_alike(translator):
    encoding = translator.model.source_positions.encoding
    encoding.copy_(encoding[3].clone().expand_as(encoding))
    left, added = constant_query(translator, TEXTS["encoder"], encoding[0], least=2)
    whole = part_shares(translator, TEXTS["encoder"])["position-content"]
    assert torch.allclose(left, whole)
    ids = [translator.tokenizer.source_ids(text) for text in TEXTS["encoder"]]
    both = [token for row in ids for token in row]
    assert set(added) == {token for token in both if both.count(token) >= 2}
    end, found = ids[0][-1], []
    for text in TEXTS["encoder"]:
        part = score_parts(translator, text)["position-content"][:, 0]
        found.append(part[:, -1] - part.mean(1))
    assert torch.allclose(added[end], torch.stack(found).mean(0))


def test_offsets_are_counted_from_query_to_key(translator):
    [text, _] = TEXTS["encoder"]
    part = score_parts(translator, text)["position-position"]
    part = part - part.mean(-1, keepdim=True)
    pairs = range(part.size(-1))
    for offset, mean in by_offset(translator, [text], reach=2).items():
        scores = [part[:, i, j] for i in pairs for j in pairs if j - i == offset]
        assert torch.allclose(mean, torch.stack(scores).mean(0))


def test_what_does_not_fit_is_refused(translator):
    with pytest.raises(ValueError, match=r"side='both'; expected 'encoder' or 'decoder'"):
        score_parts(translator, "a", "both")
    with pytest.raises(ValueError, match=r"\d+ tokens, 60 places: shorten the text"):
        score_parts(translator, "a student " * 60)
