"""The comparison of students with and without a teacher, run with next to nothing."""

import torch

from experiments.family import deit, digit_runs

OPTIONS = ["--seeds", "1", "2", "--steps", "2", "--labels", "20", "--rates", "0.001", "0.01"]


def test_it_runs_and_its_record_repeats_itself(written):
    record = written(deit, *OPTIONS)
    assert record["command"] == " ".join(["python -m experiments.family.deit", *OPTIONS])
    agreement = {
        (score["seed"], score["teacher"]): score["value"]
        for score in record["scores"]
        if score["metric"] == "agreement"
    }
    assert agreement.keys() == {(s, who) for s in (1, 2) for who in ("labels", "CNN", "ViT")}
    assert agreement[1, "labels"] == agreement[2, "labels"] == 100
    assert all(value < 100 for (_, who), value in agreement.items() if who != "labels")
    found = {
        (score["seed"], score["model"], score["part"])
        for score in record["scores"]
        if score["metric"] == "accuracy"
    }
    heads = {"whole", "class token", "distillation token"}
    parts = {name: {"whole"} for name in deit.TEACHERS}
    parts |= {name: heads if name.startswith("DeiT") else {"whole"} for name in deit.STUDENTS}
    assert found == {(s, name, part) for s in (1, 2) for name in parts for part in parts[name]}
    assert len(record["curve"]) == 2 * 2 * 6


def test_a_lesson_has_the_answers_of_its_teacher_about_what_is_shown():
    data = digit_runs.chosen(30, 1).train
    torch.manual_seed(0)
    teacher = digit_runs.cnn()
    alone = list(deit.shown(data, 3, seed=2))
    taught = deit.lessons(data, teacher, 3, seed=2)
    right = 0
    for (images, labels), (same, also, answers) in zip(alone, taught, strict=True):
        assert torch.equal(images, same)
        assert torch.equal(labels, also)
        assert torch.equal(answers, teacher(images).argmax(-1))
        right += (answers == labels).sum().item()
    assert abs(deit.agreement(taught) - 100 * right / 90) < 1e-9
    of_labels = deit.lessons(data, None, 3, seed=2)
    assert all(torch.equal(labels, answers) for _, labels, answers in of_labels)


def test_images_are_moved_and_mixed_the_same_way_for_all():
    data = digit_runs.chosen(40, 1).train
    first, again = (list(deit.shown(data, 3, seed=5)) for _ in range(2))
    for (images, labels), (same, _) in zip(first, again, strict=True):
        assert torch.equal(images, same)
        assert images.shape == (40, 1, 8, 8)
        assert 0 <= images.min() <= images.max() <= 1
        assert sorted(labels.tolist()) == sorted(data[1].tolist())


def test_a_mixed_image_is_the_sum_of_two_that_were_moved():
    """With one image there is no other to mix with: what is left is where it was moved to."""
    image = torch.arange(1.0, 65).view(1, 1, 8, 8)
    padded = torch.nn.functional.pad(image, (1, 1, 1, 1))
    places = [padded[..., r : r + 8, c : c + 8] for r in range(3) for c in range(3)]
    found = set()
    for moved, _ in deit.shown((image, torch.tensor([3])), 60, seed=0):
        found |= {n for n, place in enumerate(places) if torch.allclose(moved, place)}
    assert found == set(range(9))


def test_one_token_learns_the_mean_of_both_answers():
    torch.manual_seed(0)
    model = deit.OneToken(digit_runs.vit_config()).eval()
    images, labels = digit_runs.chosen(20, 1).train
    answers = labels.flip(0)
    logs = model(images).log_softmax(-1)
    expected = -(logs[range(20), labels] + logs[range(20), answers]).mean() / 2
    torch.testing.assert_close(model.loss(images, labels, answers), expected)
