import pytest
import torch
from matplotlib import pyplot as plt

from annotated_transformer.lab.figures import use_book_style
from annotated_transformer.lab.figures.feed_forward import position_wise_picture


@pytest.fixture(autouse=True)
def style():
    use_book_style()


def test_every_number_and_name_is_written_and_rows_are_linked_to_themselves_only():
    first, second = torch.tensor([[1.0, -2.0], [3.5, 0.0]]), torch.tensor([[7.0], [8.0]])
    position_wise_picture(["one", "two"], [("in", ["a", "b"], first), ("out", ["c"], second)])
    axes = plt.gca()
    written = [text.get_text() for text in axes.texts]
    assert {"one", "two", "in", "out", "a", "b", "c", "1", "−2", "3.5", "0", "7", "8"} <= {*written}
    arrows = [text for text in axes.texts if getattr(text, "arrow_patch", None)]
    assert [arrow.xy[1] for arrow in arrows] == [arrow.xyann[1] for arrow in arrows] == [0.5, 1.5]


def test_only_positive_numbers_are_shaded_and_all_zeros_are_no_error():
    position_wise_picture(["one"], [("in", ["a", "b"], torch.tensor([[-1.0, 2.0]]))])
    (image,) = plt.gca().images
    assert image.get_array().tolist() == [[0.0, pytest.approx(0.7)]]
    position_wise_picture(["one"], [("in", ["a", "b"], torch.zeros(1, 2))])


@pytest.mark.parametrize(
    ("stages", "message"),
    [
        ([("in", ["a"], torch.zeros(1, 2))], r"'in' has shape \(1, 2\) for 1 words and 1 columns"),
        ([("in", ["a"], torch.zeros(1, 1))] * 4, "4 stages; expected at most 3"),
    ],
)
def test_stages_of_wrong_shape_are_refused(stages, message):
    with pytest.raises(ValueError, match=message):
        position_wise_picture(["one"], stages)
