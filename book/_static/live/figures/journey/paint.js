/**
 * Figure *The whole model*: a step as a picture, in the language of the map (map/draw.js).
 *
 * A row is a token. The token that is followed has a strip of all its numbers; the others are lines. Attention has its
 * three beats in three steps: asking (blue), answering (orange, as large as the weight), and values that flow (green, as
 * wide as the weight). Backwards a line is as wide as the root of the gradient's norm.
 */
"use strict";

(() => {
  const { map: M } = AnnotatedTransformer;
  const PITCH = 28; // pixels of a row
  const WIDE = 48, HIGH = 24; // of a strip
  const COLUMNS = 16, UNIT_COLUMNS = 32; // in which the numbers of a strip lie
  const THICK = 6.5, LEAST = 0.015; // of a line with the whole weight; a smaller weight is no line
  const FLOOD = 12; // of a line with the largest gradient
  const HUES = ["query", "key", "value"];

  const yOf = (row) => (row + 0.5) * PITCH;

  /** Draw a step of a host ({read, i, t, colours}); norms: {rows, all} of its gradient, if it goes backwards. */
  function paint(canvas, step, { read, i, t, colours }, reached, norms) {
    const [row, count, hue] = step.part === "encoder" ? [i, read.source.length, colours.source] : [t, read.written.length, colours.target];
    const width = canvas.parentElement.clientWidth, context = M.sized(canvas, width, count * PITCH);
    const largest = norms && Math.max(...norms.all);
    for (let each = 0; each < count; each++) {
      const followed = each === row, norm = norms?.rows[each];
      const flood = norm === undefined ? 1 : Math.max(0.6, FLOOD * Math.sqrt(norm / largest));
      const [thick, colour, alpha] = norms ? [flood, colours.key, followed ? 0.9 : 0.5] : [3, hue, followed && reached ? 0.8 : followed ? 0.4 : 0.25];
      M.line(context, -2, yOf(each), width + 2, thick, M.css(colour, alpha));
    }
    const x = width - WIDE - 6;
    if (norms) return; // the picture goes backwards: what flows is the gradient
    if (step.looks) look(context, step, read.looks(step.looks[0], row), row, x, colours);
    const drawn = step.shows.filter(([form]) => form !== "scores" && form !== "weights").map((show) => ({ show, found: read.drawn(show[1], row) }));
    drawn.forEach(({ show: [form], found }, n) => {
      if (!found) return;
      const place = drawn.length === 1 ? [x, WIDE] : [x + n * 17, 14];
      if (form === "logits" || form === "shares") bars(context, found[form], place, yOf(row), hue);
      else strip(context, found, drawn.length === 1 ? hue : colours[HUES[n]], place, yOf(row), colours);
    });
  }

  /** A row of a matrix as a strip of all its numbers, in the frame of what is followed. */
  function strip(context, { values, scale, columns = values.length > 128 ? UNIT_COLUMNS : COLUMNS }, hue, [x, width], y, colours) {
    const top = y - HIGH / 2;
    M.strip(context, M.sheet({ rows: [values], scale }, columns, hue, colours), 0, [x, top, width, HIGH]);
    context.lineWidth = 1.5;
    M.box(context, [Math.round(x) - 1, Math.round(top) - 1, width + 2, HIGH + 2], 2, null, M.css(colours.ink));
  }

  /** The five largest numbers of a row, the first of them as wide as a strip. */
  function bars(context, values, [x, width], y, hue) {
    values.forEach((value, n) => {
      context.fillStyle = M.css(hue, n ? 0.55 : 1);
      context.fillRect(x, y - HIGH / 2 + 5 * n, Math.max(1, width * value / values[0]), 4);
    });
  }

  /** The weights of a row's attention, mean of the heads; X: where the row's strip begins. */
  function look(context, { looks: [name, beat] }, weights, row, X, colours) {
    if (!weights) return;
    const crosses = name.endsWith("cross_attention");
    const end = beat === "flows" ? X - 2 : X + WIDE;
    weights.forEach((weight, j) => {
      const from = crosses ? 6 + j * Math.max(4, (X - 16) / weights.length) : 2;
      const curve = crosses ? [from, -4, from, yOf(row) * 0.8, from, yOf(row), end, yOf(row)] : M.level(from, yOf(j), end, yOf(row));
      if (beat === "asks") M.stroke(context, curve, 0, 1, 1.4, M.css(colours.query, 0.8));
      if (beat === "answers") M.stroke(context, curve, 0, 1, 1.4, M.css(colours.query, 0.25));
      if (beat === "answers") M.dot(context, from + 7, yOf(j), 2 + 5 * Math.sqrt(weight), M.css(colours.key));
      if (beat === "flows" && weight >= LEAST) M.stroke(context, curve, 0, 1, THICK * weight, M.css(colours.value, 0.9));
    });
  }

  Object.assign((AnnotatedTransformer.journey ??= {}), { PITCH, paint });
})();
