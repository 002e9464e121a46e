"""The picture draws every word twice, and every arrow of the attention."""

import pytest
from matplotlib import pyplot as plt

from annotated_transformer.lab.figures.why_attention import context_picture


def test_all_words_stand_in_both_panels_and_one_word_looks_at_all():
    context_picture(["I", "am", "a", "student"], ["ha", "ho", "hi"], looking=1)
    above, below = plt.gcf().axes
    for axes in (above, below):
        texts = [text.get_text() for text in axes.texts]
        assert {"I", "am", "a", "student", "ha", "ho", "hi"} <= set(texts)
    assert "context" in [text.get_text() for text in above.texts]
    heads = [note.xy for note in below.texts if getattr(note, "arrow_patch", None)]
    assert heads.count((1 + 0.5, 2.4 - 0.3)) == 4


@pytest.mark.parametrize(("source", "looking"), [([], 0), (["a"], 2), (["a"], -1)])
def test_missing_words_are_refused(source, looking):
    with pytest.raises(ValueError, match=f"no word {looking} among 1, or no source"):
        context_picture(source, ["b"], looking)
