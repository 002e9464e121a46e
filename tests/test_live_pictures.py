"""A picture with few colours still has the colour of its thinnest line."""

import pytest
import torch
from PIL import Image, ImageDraw

import live_pictures

BLUE = (0, 114, 178)


def drawing():
    """Greys of every tone above tints of one green, and between them one thin blue line."""
    grey = torch.rand(200, 400, 1, generator=torch.Generator().manual_seed(1))
    above, below = 155 + 100 * grey, 255 - grey * torch.tensor([255, 97, 140])
    tones = torch.cat([above.expand(-1, -1, 3), below]).to(torch.uint8)
    picture = Image.fromarray(tones.numpy(), "RGB")
    ImageDraw.Draw(picture).line([(0, 200), (60, 200)], fill=BLUE)
    return picture


def test_a_thin_line_keeps_its_colour(tmp_path, monkeypatch):
    monkeypatch.setattr(live_pictures, "LARGEST", 10**9)
    path = live_pictures.save(drawing(), tmp_path / "a.png")
    kept = Image.open(path).convert("RGB").getpixel((30, 200))
    assert max(abs(a - b) for a, b in zip(kept, BLUE, strict=True)) < 20


def test_a_picture_that_is_too_large_has_fewer_colours_or_is_refused(tmp_path, monkeypatch):
    tries = []
    quantize = Image.Image.quantize

    def counted(picture, colours, **settings):
        tries.append(colours)
        return quantize(picture, colours, **settings)

    monkeypatch.setattr(Image.Image, "quantize", counted)
    with pytest.raises(ValueError, match=r"a.png has [\d,]+ bytes, over 60,000: show less"):
        live_pictures.save(drawing(), tmp_path / "a.png")
    assert tries == [live_pictures.COLOURS, live_pictures.FEW]
