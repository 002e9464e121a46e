from matplotlib import pyplot as plt

from annotated_transformer import Translator
from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.figures import use_book_style
from annotated_transformer.lab.figures.training import batch_picture
from annotated_transformer.training.batching import collate
from annotated_transformer.training.data import encode

PAIRS = [
    SentencePair("We sang", "우리는 노래했다"),
    SentencePair("I am a student", "그녀는 집에 들어갔다"),
]


def test_every_token_is_written_and_only_padding_is_hatched():
    tokenizer = Translator.load("english_korean").tokenizer
    batch = collate([*encode(PAIRS, tokenizer, origin="test")])
    use_book_style()
    batch_picture(batch, tokenizer)
    panels = {axes.get_title(loc="left"): axes for axes in plt.gcf().axes}
    assert list(panels) == ["encoder reads", "decoder reads", "decoder must write"]
    sides = [pair.source for pair in PAIRS], *[[pair.target for pair in PAIRS]] * 2
    for (title, axes), sentences in zip(panels.items(), sides, strict=True):
        written = [text.get_text() for text in axes.texts]
        rows = written[: len(written) // 2], written[len(written) // 2 :]
        for row, sentence in zip(rows, sentences, strict=True):
            spelled = sentence.replace(" ", "")
            reads = title == "decoder reads"
            assert "".join(row) == ("<bos>" + spelled if reads else spelled + "<eos>")
        hatched = [bool(patch.get_hatch()) for patch in axes.patches]
        assert hatched == [text == "" for text in written]
        assert any(hatched)
