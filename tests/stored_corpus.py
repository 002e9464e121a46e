"""The embedded corpus as it is read from its file."""

from annotated_transformer.lab.corpora.english_korean.stored import stored_pairs


def read_back(derived, folder, monkeypatch):
    """Store these splits in an empty folder and return what is read from there."""
    monkeypatch.setenv("ANNOTATED_TRANSFORMER_DATA", str(folder))
    splits = {split: [item.pair for item in items] for split, items in derived.items()}
    assert not any(folder.iterdir())
    stored_pairs("corpus", "", "test", lambda: splits)
    return {split: stored_pairs("corpus", "", split, _not_derived) for split in splits}


def _not_derived():
    raise AssertionError("the file was there, but not read")
