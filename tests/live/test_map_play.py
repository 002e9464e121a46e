"""The map while it plays: what a frame draws, writes and asks of the page. No clock decides."""

import pytest

from live_page import write_page

FIGURE = "document.querySelector('live-map')"
SETTLED = "() => !document.querySelector('[aria-busy]')"
NEXT = "const next = () => new Promise(requestAnimationFrame);"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return write_page(tmp_path_factory.mktemp("map"), "map")


@pytest.fixture(params=[1280, 390])
def width(request):
    return request.param


@pytest.fixture
def still(tab, site, width):
    """The page at rest, in which nothing moves by itself."""
    tab.emulate_media(reduced_motion="reduce")
    tab.set_viewport_size({"width": width, "height": 900})
    tab.goto(site.as_uri())
    yield tab
    tab.emulate_media(reduced_motion="null")


@pytest.fixture
def moving(tab, site):
    """The page as most readers have it, before it plays by itself."""
    tab.set_viewport_size({"width": 1280, "height": 900})
    tab.goto(site.as_uri())
    tab.evaluate(f"() => {{ {FIGURE}.touched = true; }}")
    return tab


# What is seen: what moves, over what stands still.
SEEN = """const seen = (figure) => {
    const {canvas, over} = figure, all = document.createElement('canvas');
    Object.assign(all, {width: canvas.width, height: canvas.height});
    const context = all.getContext('2d');
    context.drawImage(canvas, 0, 0);
    const [x, y] = [over.style.left, over.style.top].map(parseFloat);
    if (!over.hidden) context.drawImage(over, x, y);
    return all;
};"""
# Times within phases and at their ends, each reached frame by frame and at once from the end.
PICTURES = f"""() => {{
    {SEEN}
    const figure = {FIGURE};
    const ends = figure.phases.map(({{from, length}}) => from + length);
    const middles = ends.map((end, n) => (end + (ends[n - 1] ?? 0)) / 2);
    const times = [...ends, ...middles].sort((a, b) => a - b);
    const at = (time, before) => {{
        before.forEach((other) => figure.go(other));
        figure.go(time);
        return seen(figure).toDataURL();
    }};
    return times.filter((_, n) => n % 4 === 0).map((time) => [
        at(time, [0, time / 2, time - 20, time - 4]),
        at(time, [figure.total]),
    ]);
}}"""
# Early, halfway and late in each phase: in how many numbers the picture is another one than where
# what moves has a canvas as large as the map. A few at the rim of a curve are rounded otherwise.
CUT = f"""() => {{
    {SEEN}
    const figure = {FIGURE}, {{painter, plan}} = figure;
    const all = () => [14, 14, plan.width, plan.height];
    const at = (time, bounds) => {{
        painter.bounds = bounds;
        figure.go(figure.total);
        figure.go(time);
        delete painter.bounds;
        const {{width, height}} = figure.canvas;
        return seen(figure).getContext('2d').getImageData(0, 0, width, height).data;
    }};
    const apart = (one, other) => one.reduce((n, x, i) => n + (Math.abs(x - other[i]) > 16), 0);
    const phases = figure.phases.filter(({{row}}) => [undefined, 0, 1, plan.m - 1].includes(row));
    return phases.flatMap(({{from, length, stage}}) => [0.2, 0.5, 0.9].map((u) => {{
        const time = from + u * length;
        return [stage?.name ?? 'back', u, apart(at(time, painter.bounds), at(time, all))];
    }}));
}}"""
# While a phase moves: what it looks like, then with a hand over a token, and then without it again.
POINTED_AT = f"""() => {{
    {SEEN}
    const figure = {FIGURE};
    figure.go(figure.total / 2);
    return [null, 'enc', null].map((side) => {{
        figure.point(side, 2);
        return seen(figure).toDataURL();
    }});
}}"""
# For each phase, in ten frames of it: how often what stands still is drawn, and how much of the map
# is cleared or painted over with an image in each frame, what stands still left out.
DRAWN = f"""() => {{
    const figure = {FIGURE}, {{painter, plan}} = figure;
    const context = CanvasRenderingContext2D.prototype;
    let settled = 0, pixels = 0;
    const {{settle}} = painter, {{clearRect, drawImage}} = context;
    painter.settle = function () {{ settled += 1; return settle.call(this); }};
    context.clearRect = function (...box) {{
        pixels += box[2] * box[3];
        return clearRect.apply(this, box);
    }};
    context.drawImage = function (...box) {{
        pixels += box.at(-2) * box.at(-1);
        return drawImage.apply(this, box);
    }};
    const found = figure.phases.map(({{stage, row, from, length}}) => {{
        settled = pixels = 0;
        for (let n = 1; n <= 10; n++) figure.go(from + length * n / 11);
        return [stage?.kind ?? 'back', row ?? -1, settled, pixels / 10 / plan.width / plan.height];
    }});
    Object.assign(context, {{clearRect, drawImage}});
    return found;
}}"""


def test_a_moment_looks_the_same_from_wherever_one_comes(still):
    """What stands still is kept from one frame to the next, and nothing of another moment."""
    pictures = still.evaluate(PICTURES)
    assert len({one for one, _ in pictures}) > 20
    assert [n for n, (one, other) in enumerate(pictures) if one != other] == []


def test_what_moves_is_cut_off_nowhere(still):
    compared = still.evaluate(CUT)
    assert len(compared) > 60
    assert [(name, u, apart) for name, u, apart in compared if apart > 8] == []


def test_what_is_pointed_at_stands_out_while_a_phase_moves(still):
    before, during, after = still.evaluate(POINTED_AT)
    assert before == after != during


# The opacity of a part of what stands still, from 0 to 1, at the beginning and the end of the run.
INK = f"""() => {{
    const figure = {FIGURE}, {{canvas, plan}} = figure, share = canvas.width / plan.width;
    const ink = (time, left, top, right, bottom) => {{
        figure.go(time);
        const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d');
        copy.drawImage(canvas, 0, 0);
        const box = [left, top, right - left, bottom - top].map((x) => Math.round(x * share));
        const alphas = copy.getImageData(...box).data.filter((_, n) => n % 4 === 3);
        return alphas.reduce((sum, alpha) => sum + alpha, 0) / alphas.length / 255;
    }};
    const {{tile}} = plan.dec[0], y = (row) => plan.y('dec', row);
    const lane = [tile, y(-0.5), tile + plan.tile, y(plan.m - 0.5)];
    const ends = [0, figure.total];
    return {{
        lane: ends.map((time) => ink(time, ...lane)),
        edge: ends.map((time) => ink(time, plan.width - 1, 0, plan.width, plan.height)),
    }};
}}"""


def test_what_is_still_to_come_is_there_and_pale(still):
    """A lane that waits is no row of empty boxes: its vectors, which no ground lies under."""
    begin, end = still.evaluate(INK)["lane"]
    assert 0.15 * end < begin < 0.5 * end


def test_no_line_is_cut_at_the_right_edge(still):
    assert still.evaluate(INK)["edge"] == [0, 0]


def test_a_frame_draws_what_moves_and_no_more(still, width):
    """What stands still is drawn once in a phase, and once more where the memory is full."""
    drawn = still.evaluate(DRAWN)
    fills = {("embed", 0), ("self", 0)}
    assert {settled for kind, row, settled, _ in drawn if (kind, row) not in fills} == {1}
    assert max(settled for _, _, settled, _ in drawn) <= 2
    shares = sorted(share for *_, share in drawn)
    assert shares[-1] < {1280: 0.4, 390: 0.7}[width]
    assert shares[len(shares) // 2] < {1280: 0.05, 390: 0.1}[width]
    assert {share for kind, *_, share in drawn if kind in ("out", "back")} == {0}


# How many tokens are written shortly before and after the share of the phase at which one appears.
WRITTEN = f"""() => {{
    const figure = {FIGURE};
    const written = () => figure.querySelectorAll('.map-output:not(.map-off)').length;
    return figure.phases.filter(({{stage}}) => stage?.kind === 'out').map(({{from, length}}) =>
        [0.55, 0.65].map((u) => {{
            figure.go(from + u * length);
            return written();
        }}));
}}"""


def test_a_token_is_there_before_its_phase_ends(still):
    """No picture moves then, and the time goes on all the same."""
    written = still.evaluate(WRITTEN)
    assert written == [[n, n + 1] for n in range(len(written))]


# What ten frames in the middle of each phase change in the page; how often they move the slider.
CHANGED = f"""() => {{
    const figure = {FIGURE}, {{player, player: {{slider}}}} = figure;
    const {{get, set}} = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
    let moved = 0;
    Object.defineProperty(slider, 'value', {{
        configurable: true, get, set(value) {{ moved += 1; set.call(this, value); }},
    }});
    const observer = new MutationObserver(() => {{}});
    const all = {{subtree: true, childList: true, characterData: true, attributes: true}};
    player.playing = true;
    const found = figure.phases.map(({{stage, from, length}}) => {{
        figure.go(from + 0.3 * length);
        observer.observe(figure, all);
        moved = 0;
        for (let n = 1; n <= 10; n++) figure.go(from + (0.3 + 0.02 * n) * length);
        const changes = observer.takeRecords().map(({{target, attributeName}}) =>
            `${{target.className}} ${{attributeName}}`);
        observer.disconnect();
        const pixels = 0.2 * length / figure.total * (player.marks.clientWidth - 16);
        return {{kind: stage?.kind ?? 'back', changes, moved, pixels}};
    }});
    player.playing = false;
    delete slider.value;
    return found;
}}"""


def test_a_frame_writes_only_what_has_changed(still):
    """No text, class or style but that of the word on its way back; the slider by whole pixels."""
    found = still.evaluate(CHANGED)
    changed = {kind: set() for kind in ("embed", "self", "cross", "ffn", "out", "back")}
    for phase in found:
        changed[phase["kind"]] |= {*phase["changes"]}
    assert changed.pop("back") == {"map-flyer style"}
    assert {*map(tuple, changed.values())} == {()}
    assert [phase for phase in found if phase["moved"] > phase["pixels"] + 1] == []


# Twenty frames in one task: a layout within them would be one that a frame asks for.
FRAMES = f"""() => {{
    const figure = {FIGURE}, {{player}} = figure;
    player.playing = true;
    for (let n = 0; n < 20; n++) figure.go(figure.total * n / 20);
    player.playing = false;
}}"""


def test_a_frame_asks_for_no_layout(still):
    session = still.context.new_cdp_session(still)
    session.send("Performance.enable")

    def layouts():
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(m["value"] for m in metrics if m["name"] == "LayoutCount")

    before = layouts()
    still.evaluate(FRAMES)
    assert layouts() - before <= 2  # what the browser does by itself afterwards
    still.evaluate(FRAMES.replace("go(figure.total * n / 20)", "layout()"))
    assert layouts() - before > 20
    session.detach()


# How often all is shown in five frames.
COUNTED = f"""async () => {{
    {NEXT}
    const figure = {FIGURE}, {{go}} = figure;
    let shown = 0;
    figure.go = function (time) {{ shown += 1; return go.call(this, time); }};
    for (let n = 0; n < 5; n++) await next();
    delete figure.go;
    return shown;
}}"""


def test_sentences_that_are_tried_while_it_plays_leave_one_series_of_frames(moving):
    """Each had left its own, all of which went on: a run played twice as fast, then three times."""
    tried = moving.locator(".map-try")
    for n in (1, 2, 3):
        tried.nth(n % tried.count()).click()
        moving.wait_for_function(SETTLED)
        moving.wait_for_function(f"() => {FIGURE}.player.playing")
    moving.evaluate(f"() => {{ {FIGURE}.go(0); }}")
    assert 1 <= moving.evaluate(COUNTED) <= 6
    moving.get_by_role("button", name="Pause").click()
    moving.get_by_role("button", name="Play", exact=True).click()
    assert 1 <= moving.evaluate(COUNTED) <= 6


def test_what_plays_out_of_sight_is_not_drawn_until_one_comes_back(moving):
    moving.evaluate("() => { document.body.style.paddingBottom = '5000px'; }")
    moving.evaluate(f"() => {{ {FIGURE}.go(0); {FIGURE}.player.play(); }}")
    moving.evaluate("() => window.scrollTo(0, 4000)")
    moving.wait_for_function(f"() => !{FIGURE}.player.seen")
    before = moving.evaluate(f"() => {FIGURE}.time")
    assert moving.evaluate(COUNTED) == 0
    assert moving.evaluate(f"() => {FIGURE}.time") > before
    moving.evaluate("() => window.scrollTo(0, 0)")
    moving.wait_for_function(f"() => {FIGURE}.player.seen")
    assert moving.evaluate(COUNTED) >= 1


def test_a_click_on_the_bar_while_it_plays_goes_there(moving):
    """The pause had put the slider back first, and the place that was clicked was lost."""
    moving.evaluate(f"() => {{ {FIGURE}.go(0); {FIGURE}.player.play(); }}")
    bar = moving.get_by_role("slider", name="Place in the run")
    box = bar.bounding_box()
    bar.click(position={"x": 0.75 * box["width"], "y": box["height"] / 2})
    assert not moving.evaluate(f"() => {FIGURE}.player.playing")
    assert moving.evaluate(f"() => {FIGURE}.time / {FIGURE}.total") == pytest.approx(0.75, abs=0.05)


def test_space_on_the_bar_plays_and_pauses_and_moves_no_page(moving):
    moving.evaluate("() => { document.body.style.paddingBottom = '5000px'; }")
    moving.evaluate(f"() => {{ {FIGURE}.player.pause(); {FIGURE}.go(0); }}")
    moving.get_by_role("slider", name="Place in the run").focus()
    place = moving.evaluate("() => scrollY")
    for playing in (True, False):
        moving.keyboard.press("Space")
        assert moving.evaluate(f"() => {FIGURE}.player.playing") is playing
    assert moving.evaluate("() => scrollY") == place
