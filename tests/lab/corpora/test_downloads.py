"""Downloads against a local server and a stand-in for a library: whole files or none."""

import errno
import functools
import gzip
import hashlib
import json
import os
import sys
import threading
import tracemalloc
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

import pooch
import pytest

from annotated_transformer.lab.corpora import multi30k, wmt14
from annotated_transformer.lab.corpora.downloads import RemoteFile, fetch
from annotated_transformer.lab.run_data import split_names
from annotated_transformer.storage.machine import data_directory
from annotated_transformer.training.data import encode_split, open_split, read_split
from annotated_transformer.training.recipe.recipes import CorpusRecipe

TEXT = b"ein hund .\nzwei hunde spielen .\n" * 500
ERROR_PAGE = b"<html><body>please log in</body></html>"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        kind = self.path.strip("/")
        content = {"page": ERROR_PAGE, "altered": TEXT[:-2] + b"!\n"}.get(kind, TEXT)
        self.send_response(404 if kind == "missing" else 200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[: len(content) // 2] if kind == "cut" else content)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def server():
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()


def remote(url, name="tok.train.de"):
    return RemoteFile(name, url, hashlib.sha256(TEXT).hexdigest(), len(TEXT))


def test_a_file_is_fetched_once(server, tmp_path):
    path = fetch(remote(f"{server}/whole"), tmp_path / "new" / "folder")
    assert path.read_bytes() == TEXT
    assert [file.name for file in path.parent.iterdir()] == ["tok.train.de"]
    assert fetch(remote("http://127.0.0.1:1/nobody"), path.parent) == path


@pytest.mark.parametrize(
    ("kind", "error", "message"),
    [
        ("cut", OSError, "could not be fetched"),
        ("altered", ValueError, "is not the expected file: 16,000 bytes"),
        ("page", ValueError, "is not the expected file: 39 bytes"),
        ("missing", OSError, "could not be fetched: 404"),
    ],
)
def test_what_is_not_the_file_is_refused_and_leaves_nothing(server, tmp_path, kind, error, message):
    with pytest.raises(error, match=message) as caught:
        fetch(remote(f"{server}/{kind}"), tmp_path)
    assert f"{server}/{kind}" in str(caught.value)
    assert not list(tmp_path.iterdir())


PACKED = gzip.compress(TEXT)
BOMB = gzip.compress(bytes(2**20)) * 300
"""300 MB of zeros in 300 kB."""
LONG = bytes(2**20)


def answer(handler, status=200, *, chunks=(), **headers):
    """Send the head of an answer and parts of its body, until nobody listens."""
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    for chunk in chunks:
        try:
            handler.wfile.write(chunk)
        except OSError:
            handler.close_connection = True
            return
        type(handler).sent += len(chunk)


WAYS = {
    "packed": lambda to: answer(to, chunks=[PACKED], Content_Encoding="gzip"),
    "moved": lambda to: answer(to, 302, Location="/elsewhere"),
    "elsewhere": lambda to: answer(to, chunks=[TEXT]),
    "long": lambda to: answer(to, chunks=[TEXT, *[LONG] * 400]),
    "announced": lambda to: answer(to, chunks=[LONG] * 400, Content_Length=str(400 * 2**20)),
    "bomb": lambda to: answer(to, chunks=[BOMB], Content_Encoding="gzip"),
    "twice": lambda to: answer(to, chunks=[BOMB], Content_Encoding="gzip, gzip"),
    "deflated": lambda to: answer(to, chunks=[BOMB], Content_Encoding="deflate"),
    "moved-long": lambda to: answer(to, 302, Location="/elsewhere", chunks=[LONG] * 400),
    "moved-bomb": lambda to: answer(
        to, 302, Location="/bomb", chunks=[BOMB], Content_Encoding="gzip"
    ),
    "circle": lambda to: answer(to, 302, Location="/circle"),
    "to-file": lambda to: answer(to, 302, Location="file:///etc/passwd"),
    "error-long": lambda to: answer(to, 500, chunks=[LONG] * 400),
}


@pytest.fixture(scope="module")
def hostile():
    """A server of `WAYS`, which counts what it could send."""

    class Hostile(BaseHTTPRequestHandler):
        sent = 0

        def do_GET(self):
            WAYS[self.path.strip("/")](self)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Hostile) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield Hostile, f"http://127.0.0.1:{running.server_port}"
        running.shutdown()


@pytest.mark.parametrize("way", WAYS)
def test_a_download_ends_at_its_size(hostile, tmp_path, way):
    """Whatever way it comes: no more is taken, nothing large is held, nothing is left."""
    counter, address = hostile
    counter.sent = 0
    file = remote(f"{address}/{way}")
    tracemalloc.start()
    try:
        if way in ("packed", "moved", "elsewhere", "moved-long"):
            assert fetch(file, tmp_path).read_bytes() == TEXT
        else:
            with pytest.raises((OSError, ValueError)) as caught:
                fetch(file, tmp_path)
            sentence = str(caught.value)
            assert file.url in sentence
            assert str(tmp_path / file.name) in sentence
            assert "\n" not in sentence
            assert not list(tmp_path.iterdir())
        assert tracemalloc.get_traced_memory()[1] < 20 * 2**20
    finally:
        tracemalloc.stop()
    # What lies in the buffers of both ends has left the server and was never read.
    assert counter.sent < 30 * 2**20


@pytest.mark.parametrize(
    "name",
    ["../x", "/x", "a/b", "..", ".", "", "a\\b", "\\x", "C:x", "x\0y", "a\nb", "..\\x", "x/"],
)
def test_a_name_cannot_leave_the_folder(server, tmp_path, name):
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(ValueError, match="expected the name of a file, without folders"):
        fetch(remote(f"{server}/whole", name), folder)
    assert list(tmp_path.rglob("*")) == [folder]


def test_a_link_that_leads_to_nothing_is_replaced_and_not_followed(server, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "tok.train.de").symlink_to(tmp_path / "outside")
    assert fetch(remote(f"{server}/whole"), folder).read_bytes() == TEXT
    assert not (folder / "tok.train.de").is_symlink()
    assert not (tmp_path / "outside").exists()


def test_a_file_that_unpacks_to_much_more_is_read_no_further_than_its_size(tmp_path):
    (tmp_path / "tok.train.de.gz").write_bytes(gzip.compress(TEXT) + BOMB)
    tracemalloc.start()
    with pytest.raises(ValueError, match="is not the file that it should be"):
        fetch(remote("http://127.0.0.1:1/nobody"), tmp_path)
    assert tracemalloc.get_traced_memory()[1] < 20 * 2**20
    tracemalloc.stop()


@pytest.mark.parametrize("mask", [0o022, 0o002, 0o077])
def test_a_download_has_the_permissions_that_the_umask_leaves(server, tmp_path, mask):
    before = os.umask(mask)
    try:
        path = fetch(remote(f"{server}/whole"), tmp_path / "new")
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o666 & ~mask
    assert path.parent.stat().st_mode & 0o777 == 0o777 & ~mask


def test_no_network_says_where_to_put_the_file(tmp_path):
    with pytest.raises(OSError, match=r"without a network, put it at .*tok.train.de"):
        fetch(remote("http://127.0.0.1:1/nobody"), tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_full_disk_leaves_nothing(server, tmp_path, monkeypatch):
    def full(self, url, output_file, _):
        output_file.write(TEXT[:100])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(pooch.HTTPDownloader, "__call__", full)
    with pytest.raises(OSError, match="No space left on device"):
        fetch(remote(f"{server}/whole"), tmp_path)
    assert not list(tmp_path.iterdir())


def test_packed_file_in_the_folder_will_do_if_its_content_is_right(tmp_path):
    packed = tmp_path / "tok.train.de.gz"
    packed.write_bytes(gzip.compress(TEXT))
    assert fetch(remote("http://127.0.0.1:1/nobody"), tmp_path) == packed
    packed.write_bytes(gzip.compress(TEXT + b"x"))
    with pytest.raises(ValueError, match=r"tok.train.de.gz is not the file that it should be"):
        fetch(remote("http://127.0.0.1:1/nobody"), tmp_path)
    packed.write_bytes(gzip.compress(TEXT)[:-20])
    with pytest.raises(ValueError, match="damaged"):
        fetch(remote("http://127.0.0.1:1/nobody"), tmp_path)


def test_a_data_directory_that_is_a_file_is_refused(monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("ANNOTATED_TRANSFORMER_DATA", str(tmp_path / "file"))
    with pytest.raises(NotADirectoryError, match=r"file is a file; .*ANNOTATED_TRANSFORMER_DATA"):
        data_directory()


def test_data_directory(monkeypatch, tmp_path):
    monkeypatch.setenv("ANNOTATED_TRANSFORMER_DATA", str(tmp_path))
    assert data_directory() == tmp_path
    monkeypatch.delenv("ANNOTATED_TRANSFORMER_DATA")
    assert data_directory() == pooch.os_cache("annotated_transformer")


@pytest.fixture
def folder(monkeypatch, tmp_path):
    """The directory of downloads, empty."""
    monkeypatch.setenv("ANNOTATED_TRANSFORMER_DATA", str(tmp_path))
    return tmp_path


# Multi30k.

MULTI30K = functools.partial(CorpusRecipe, kind="multi30k", languages=("de", "en"))


@pytest.fixture
def small_multi30k(monkeypatch, server):
    """The corpus with our text as its content, on the local server."""
    content = dict.fromkeys(multi30k.CONTENT, (hashlib.sha256(TEXT).hexdigest(), len(TEXT)))
    monkeypatch.setattr(multi30k, "CONTENT", content)
    monkeypatch.setattr(multi30k, "REPOSITORY", server)


def test_multi30k_says_what_it_fetches_and_is_then_quiet(small_multi30k, folder, capsys):
    corpus = MULTI30K(variant="tok")
    assert len(read_split(corpus, "valid")) == 1_000
    message = capsys.readouterr().err
    for part in ("tok.val.de, tok.val.en", f"{2 * len(TEXT):,} bytes", "non-commercial", "Flickr"):
        assert part in message
    assert len(read_split(corpus, "valid")) == 1_000
    assert not capsys.readouterr().err


def test_multi30k_registry_names_every_file_of_the_splits():
    assert split_names(MULTI30K()) == ("train", "valid", "test_2016_flickr")
    hashes = set()
    for variant in ("raw", "tok"):
        for split in split_names(MULTI30K()):
            for language in ("de", "en"):
                file = multi30k.multi30k_file(variant, split, language)
                assert multi30k.COMMIT in file.url
                assert file.size > 20_000
                hashes.add(file.sha256)
    assert len(hashes) == len(multi30k.CONTENT) == 12
    assert multi30k.multi30k_file("tok", "valid", "de").url.endswith("/tok/val.lc.norm.tok.de")
    assert multi30k.multi30k_file("raw", "train", "en").url.endswith("/raw/train.en.gz")


# WMT14.

WMT14 = CorpusRecipe(kind="wmt14", languages=("en", "de"))
ROWS = [("a dog .", "ein hund ."), ("two\nlines", "x"), ("", "leer"), ("a cat .", "eine katze .")]


@pytest.fixture
def datasets(monkeypatch):
    """A stand-in for the library: it streams our rows, and remembers what it was asked for."""
    library = SimpleNamespace(asked=[], rows=ROWS)

    def load_dataset(*names, **options):
        library.asked.append((names, options))
        return ({"translation": {"en": english, "de": german}} for english, german in library.rows)

    library.load_dataset = load_dataset
    monkeypatch.setitem(sys.modules, "datasets", library)
    monkeypatch.setattr(wmt14, "PAIRS", dict.fromkeys(wmt14.PAIRS, len(ROWS)))
    return library


def test_wmt14_is_streamed_once_at_the_pinned_revision(datasets, folder, capsys):
    pairs = read_split(WMT14, "train")
    assert [(pair.source, pair.target) for pair in pairs] == [ROWS[0], ROWS[3]]
    assert read_split(WMT14, "train") == pairs
    [(names, options)] = datasets.asked
    assert names == ("wmt/wmt14", "de-en")
    assert options == {"split": "train", "revision": wmt14.REVISION, "streaming": True}
    message = capsys.readouterr().err
    for part in ("818 MB", "www.statmt.org", "2 pairs, 2 left out"):
        assert part in message
    source = json.loads((folder / "wmt14" / "de-en.train" / "source.json").read_text())
    assert (source["pairs"], source["left_out"]) == (2, 2)


def test_wmt14_in_the_other_direction_is_the_same_download(datasets, folder):
    turned = CorpusRecipe(kind="wmt14", languages=("de", "en"))
    [first, _] = read_split(WMT14, "valid")
    [again, _] = read_split(turned, "valid")
    assert (again.source, again.target) == (first.target, first.source)
    assert len(datasets.asked) == 1


class HubError(Exception):
    """Stands for an error of the library's own, which is no `OSError`."""


def failing(error):
    yield ROWS[0]
    raise error


@pytest.mark.parametrize(
    ("rows", "error", "message"),
    [
        (ROWS[:2], ValueError, "gave 2 pairs, expected 4"),
        (failing(ConnectionError("reset")), OSError, "could not be fetched: reset; try again, or"),
        (failing(HubError("Server\ndisconnected")), OSError, "fetched: Server disconnected; try"),
        (failing(HubError()), OSError, "could not be fetched: HubError; try again"),
        (failing(OSError(errno.ENOSPC, "No space left on device")), OSError, "No space left"),
    ],
)
def test_wmt14_that_breaks_off_leaves_nothing(datasets, folder, rows, error, message):
    datasets.rows = rows
    with pytest.raises(error, match=message):
        read_split(WMT14, "train")
    assert not list((folder / "wmt14").iterdir())


@pytest.mark.parametrize(
    "error",
    [
        HubError("Dataset 'wmt/wmt14' doesn't exist on the Hub or cannot be accessed."),
        HubError("404 Client Error.\n\nRevision Not Found for url: https://hub.example/wmt14."),
        FileNotFoundError("Couldn't find a dataset"),
        ValueError("BuilderConfig 'de-en' not found."),
    ],
)
def test_wmt14_that_the_hub_does_not_give_is_one_sentence(datasets, folder, monkeypatch, error):
    def load_dataset(*names, **options):
        raise error

    monkeypatch.setattr(datasets, "load_dataset", load_dataset)
    with pytest.raises(OSError, match=r"could not be fetched: .*; try again, or put") as caught:
        read_split(WMT14, "test")
    message = str(caught.value)
    assert "\n" not in message
    assert " ".join(str(error).split()) in message
    assert str(folder / "wmt14" / "de-en.test") in message
    assert not list((folder / "wmt14").iterdir())


def test_a_full_disk_is_not_blamed_on_the_hub(datasets, folder, monkeypatch):
    def full(text):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(wmt14, "_fits_a_line", full)  # what runs while the files are written
    with pytest.raises(OSError, match=r"^\[Errno \d+\] No space left on device$"):
        read_split(WMT14, "test")


def test_wmt14_that_another_process_fetched_meanwhile_will_do(datasets, folder):
    def slowly():
        datasets.rows = ROWS
        read_split(WMT14, "train")
        yield from ROWS

    datasets.rows = slowly()
    assert len(read_split(WMT14, "train")) == 2
    assert len(datasets.asked) == 2
    assert [path.name for path in (folder / "wmt14").iterdir()] == ["de-en.train"]


def test_wmt14_without_the_library_says_what_to_install(monkeypatch, folder):
    monkeypatch.setitem(sys.modules, "datasets", None)
    with pytest.raises(ValueError, match=r"pip install .annotated-transformer\[data\]"):
        read_split(WMT14, "test")


def test_wmt14_works_offline_from_files(monkeypatch, folder):
    monkeypatch.setitem(sys.modules, "datasets", None)
    text = folder / "wmt14" / "de-en.test"
    text.mkdir(parents=True)
    for language in ("de", "en"):
        (text / f"{language}.txt.gz").write_bytes(gzip.compress(TEXT))
    assert len(read_split(WMT14, "test")) == 1_000
    (text / "de.txt.gz").unlink()
    with pytest.raises(FileNotFoundError, match=r"de\.txt\.gz is missing"):
        read_split(WMT14, "test")


def test_long_pairs_of_a_download_are_counted(small_multi30k, folder, capsys):
    from annotated_transformer.tokenizer import Tokenizer  # noqa: PLC0415

    tokenizer = Tokenizer.train(["ein hund .", "zwei hunde spielen ."], vocab_size=285)
    short = len(tokenizer.source_ids("ein hund ."))
    train = open_split(MULTI30K(variant="tok", longest=short), "train")
    pairs = encode_split(train, tokenizer, 64)
    assert len(pairs) == 500
    assert "500 pairs; 500 with more than" in capsys.readouterr().err
