/** Inside of an attention: queries, keys and values, the scores of each head, their shares, and what they fetch. */
"use strict";

(() => {
  const M = AnnotatedTransformer.map;
  const { h, say } = AnnotatedTransformer;
  const ROW = 24; // pixels

  /** What all widths need: numbers, colours, and what is told of a cell. */
  function parts(sketch) {
    const { run, stage, side, own, colours } = sketch;
    const keys = stage.kind === "cross" || side === "enc" ? run.source : run.names;
    const [n, m] = [own.length, keys.length];
    const [scores, weights] = ["scores", "weights"].map((name) => run.tensor(`${stage.name}.${name}`));
    const [heads, queries, width] = scores.shape;
    const seen = (i, j) => stage.block !== "masked" || j <= i;
    const at = (tensor, head) => (i, j) => (seen(i, j) ? tensor.data[(head * queries + i) * width + j] : null);
    let largest = 1;
    for (let head = 0; head < heads; head++) {
      for (let i = 0; i < n; i++) for (let j = 0; j < m; j++) largest = Math.max(largest, Math.abs(at(scores, head)(i, j) ?? 0));
    }
    const tell = (head, unit) => (i, j, number) =>
      say`Head ${head + 1}: ${M.quoted(own[i])} looks at ${M.quoted(keys[j])}: ${number === null ? say`not allowed` : unit(number)}`;
    return {
      keys, n, m, heads, kinds: (head) => [
        ["scores", at(scores, head), {
          colour: (x) => M.shade(x / largest, colours.key, colours),
          show: (x, cell) => M.number(x, cell < 32 || Math.abs(x) >= 9.95 ? 0 : 1), tell: tell(head, (x) => say`score ${M.number(x)}`),
        }],
        ["shares", at(weights, head), {
          colour: (x) => M.mix(colours.zero, colours.value, x ** 0.7), show: (x) => (x < 0.005 ? "" : String(Math.round(100 * x))),
          tell: tell(head, M.exact),
        }],
      ],
    };
  }

  /** Queries, keys, values and what is fetched; of one head where a head is given. */
  function vectors(sketch, { keys, n, m }, head) {
    const { stage, run } = sketch;
    const of = (name, count) => {
      const rows = run.tensor(`${stage.name}.${name}`).rows().slice(0, count);
      const width = rows[0].length / run.tensor(`${stage.name}.scores`).shape[0];
      return head === undefined ? rows : rows.map((row) => row.subarray(head * width, (head + 1) * width));
    };
    return {
      q: [of("q", n), (name) => say`The query of ${name}`, sketch.own],
      k: [of("k", m), (name) => say`The key of ${name}`, keys],
      v: [of("v", m), (name) => say`The value of ${name}`, keys],
      heads: [of("heads", n), (name) => say`What is fetched for ${name}`, sketch.own],
    };
  }

  /** Names of the keys above the columns of a matrix, read from below. */
  function columns(sketch, keys, x, y, cell) {
    if (cell < 14) return;
    keys.forEach((key, j) => sketch.say(x + (j + 0.5) * cell - 8, y, key, "map-upright"));
  }

  /** The strips of one of q, k, v, heads. */
  function strips(sketch, [rows, what, names], x, y, cell, hue) {
    sketch.strips([x, y, cell, ROW], rows, 32, sketch.colours[hue], { tell: (i) => what(M.quoted(names[i])) });
  }

  function wideSketch(sketch, all) {
    const { keys, n, m, heads } = all;
    const { left, width } = sketch;
    const strip = 96, names = Math.max(64, sketch.plan.first), gap = 16, begin = left + strip + 16;
    const room = width - begin - 16 - names - strip;
    const cell = M.clamp(Math.floor((room - gap * (heads - 1)) / (heads * m)), 7, 40);
    const rise = cell < 14 ? 20 : Math.max(20, Math.min(96, 12 + 8 * Math.max(...keys.map((key) => key.length))));
    const top = 26 + rise, under = top + Math.max(n, m) * ROW + 40;
    const found = vectors(sketch, all);
    for (let head = 0; head < heads; head++) {
      const x = begin + head * (m * cell + gap);
      sketch.say(x, 0, say`head ${head + 1}`, "map-strong");
      columns(sketch, keys, x, top - 4, cell);
      all.kinds(head).forEach(([, value, look], k) => sketch.grid([x, k ? under : top, cell, ROW], n, m, value, look));
    }
    sketch.say(begin, under - 24, say`softmax of each row: shares in %`, "map-note");
    sketch.say(left, 0, say`scores q·k / √d`, "map-note");
    for (const [y, mine, theirs] of [[top, "q", "k"], [under, "heads", "v"]]) {
      sketch.names(sketch.own, left - 8, y, ROW, y === top);
      sketch.names(keys, width - strip - 8, y, ROW);
      strips(sketch, found[mine], left, y, 3, mine === "q" ? "query" : "value");
      strips(sketch, found[theirs], width - strip, y, 3, theirs === "k" ? "key" : "value");
    }
    sketch.say(left, top - 22, say`queries`, "at-query map-strong");
    sketch.say(width - strip, top - 22, say`keys`, "at-key map-strong");
    sketch.say(left, under - 24, say`fetched`, "at-value map-strong");
    sketch.say(width - strip, under - 24, say`values`, "at-value map-strong");
    sketch.height = under + Math.max(n, m) * ROW + 4;
  }

  /** One head after the other, chosen with buttons; the matrices stand below each other. */
  function narrowSketch(sketch, all, view) {
    const { keys, n, m, heads } = all;
    const { left, width } = sketch;
    const head = Math.min(view.head, heads - 1);
    const found = vectors(sketch, all, head);
    const choice = Array.from({ length: heads }, (_, k) => h("button", {
      type: "button", className: "live-button", "aria-pressed": String(k === head), onclick: () => view.turn(k) }, say`head ${k + 1}`));
    sketch.above = [h("div", { className: "live-row", role: "group", "aria-label": say`Head` }, ...choice)];
    const cell = M.clamp(Math.floor((width - left) / m), 7, 40), strip = 3 * 32, tall = Math.max(n, m) * ROW;
    const rise = cell < 14 ? 8 : Math.min(96, 12 + 8 * Math.max(...keys.map((key) => key.length)));
    let y = 24;
    const pair = (mine, theirs, words) => {
      sketch.say(left, y - 22, words[0], `map-strong at-${mine === "q" ? "query" : "value"}`);
      sketch.say(width - strip, y - 22, words[1], `map-strong at-${theirs === "k" ? "key" : "value"}`);
      sketch.names(sketch.own, left - 6, y, ROW, mine === "q");
      sketch.names(keys, width - strip - 6, y, ROW);
      strips(sketch, found[mine], left, y, 3, mine === "q" ? "query" : "value");
      strips(sketch, found[theirs], width - strip, y, 3, theirs === "k" ? "key" : "value");
      y += tall;
    };
    pair("q", "k", [say`queries`, say`keys`]);
    for (const [kind, value, look] of all.kinds(head)) {
      sketch.say(left, y + 14, kind === "scores" ? say`scores q·k / √d` : say`softmax of each row: shares in %`, "map-note");
      if (kind === "scores") columns(sketch, keys, left, y + 34 + rise, cell);
      y += kind === "scores" ? 38 + rise : 38;
      sketch.names(sketch.own, left - 6, y, ROW);
      sketch.grid([left, y, cell, ROW], n, m, value, look);
      y += n * ROW;
    }
    y += 42;
    pair("heads", "v", [say`fetched`, say`values`]);
    sketch.height = y + 4;
  }

  function attention(sketch, view) {
    const all = parts(sketch), row = sketch.run.mean(sketch.stage.name)[sketch.row] ?? [];
    (sketch.wide ? wideSketch : narrowSketch)(sketch, all, view);
    sketch.first = row.length ? say`${M.begin(sketch.own[sketch.row])} takes ${M.most(row, all.keys)}: mean of the heads.` : "";
  }

  Object.assign(M.sketches, { self: attention, masked: attention, cross: attention });
})();
