/** Drawing on a canvas in CSS pixels: colours of the page, vectors as strips of all their numbers, parts of curves. */
"use strict";

AnnotatedTransformer.map ??= {};

(() => {
  const M = AnnotatedTransformer.map;
  const { say } = AnnotatedTransformer;
  const NAMES = ["query", "key", "value", "source", "target", "neutral", "paper", "ink", "zero", "minus"];
  const STEPS = 16; // of a part of a curve

  const clamp = (x, low = 0, high = 1) => Math.min(Math.max(x, low), high);
  /** Slow at both ends: whatever carries data moves so. */
  const ease = (x) => { const t = clamp(x); return t * t * (3 - 2 * t); };
  /** How far the part [from, to] of a whole is when the whole is at u. */
  const part = (u, from, to) => ease((u - from) / (to - from));

  /** The colours that the style sheet names --map-..., as [r, g, b]; system colours too. */
  function palette(element) {
    const style = getComputedStyle(element);
    const probe = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    const read = (name) => {
      probe.fillStyle = style.getPropertyValue(`--map-${name}`).trim();
      probe.fillRect(0, 0, 1, 1);
      return [...probe.getImageData(0, 0, 1, 1).data.slice(0, 3)];
    };
    return Object.fromEntries(NAMES.map((name) => [name, read(name)]));
  }

  const css = ([r, g, b], alpha = 1) => `rgb(${r} ${g} ${b} / ${alpha})`;
  const mix = (a, b, t) => a.map((from, i) => Math.round(from + (b[i] - from) * t));

  /** Zero is the grey of paper; plus goes to the hue, minus to slate. */
  const shade = (share, plus, colours) =>
    mix(colours.zero, share < 0 ? colours.minus : plus, clamp(Math.abs(share)) ** 0.85);

  /**
   * The rows of a matrix as pixels, to cut strips from: row i is folded into `cols` columns.
   *
   * matrix: {rows, scale}; a number as large as the scale has the full colour.
   */
  function sheet({ rows, scale }, cols, plus, colours) {
    const lines = Math.ceil(rows[0].length / cols);
    const canvas = new OffscreenCanvas(cols, lines * rows.length);
    const image = new ImageData(cols, lines * rows.length);
    rows.forEach((row, i) => row.forEach((value, n) => {
      image.data.set([...shade(value / scale, plus, colours), 255], 4 * (i * lines * cols + n));
    }));
    canvas.getContext("2d").putImageData(image, 0, 0);
    return { canvas, cols, lines };
  }

  /** Row i of a sheet into a box. */
  function strip(context, { canvas, cols, lines }, i, [x, y, width, height], alpha = 1) {
    if (alpha <= 0) return;
    context.globalAlpha = alpha;
    context.imageSmoothingEnabled = false;
    context.drawImage(canvas, 0, i * lines, cols, lines, Math.round(x), Math.round(y), width, height);
    context.globalAlpha = 1;
  }

  /** The scale of a matrix: 2.2 times the root of its mean square. */
  function scaleOf(rows) {
    const sum = rows.reduce((total, row) => row.reduce((s, v) => s + v * v, total), 0);
    return 2.2 * Math.sqrt(sum / (rows.length * rows[0].length)) || 1;
  }

  /** A curve between two points that is level at both. */
  function level(x, y, X, Y) {
    const middle = (x + X) / 2;
    return [x, y, middle, y, middle, Y, X, Y];
  }

  /** The point of a curve at t from 0 to 1. A curve may have several pieces; each begins where the one before it ends. */
  function pointAt(curve, t) {
    const pieces = (curve.length - 2) / 6, n = Math.min(Math.floor(t * pieces), pieces - 1);
    const [a, b, c, d, e, f, g, h] = curve.slice(6 * n);
    const u = t * pieces - n, s = 1 - u;
    const [p, q, r, v] = [s ** 3, 3 * s * s * u, 3 * s * u * u, u ** 3];
    return [p * a + q * c + r * e + v * g, p * b + q * d + r * f + v * h];
  }

  /** The part of a curve between two of its parameters. */
  function stroke(context, curve, from, to, width, colour) {
    if (to <= from || width <= 0) return;
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(...pointAt(curve, from));
    if (from <= 0 && to >= 1) for (let n = 2; n < curve.length; n += 6) context.bezierCurveTo(...curve.slice(n, n + 6));
    else for (let n = 1; n <= STEPS; n++) context.lineTo(...pointAt(curve, from + (to - from) * n / STEPS));
    context.stroke();
  }

  function line(context, x, y, X, width, colour) {
    if (X <= x) return;
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(X, y);
    context.stroke();
  }

  function box(context, [x, y, width, height], radius, fill, edge) {
    context.beginPath();
    context.roundRect(x, y, width, height, radius);
    if (fill) { context.fillStyle = fill; context.fill(); }
    if (edge) { context.strokeStyle = edge; context.stroke(); }
  }

  function dot(context, x, y, radius, colour) {
    context.fillStyle = colour;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fill();
  }

  /**
   * Make a canvas so large, and as sharp as the screen; return a context that measures in CSS pixels: of the canvas, or of
   * another one that is drawn and handed over.
   */
  function sized(canvas, width, height, drawn = canvas) {
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
    for (const each of new Set([canvas, drawn])) {
      each.width = Math.round(width * ratio);
      each.height = Math.round(height * ratio);
    }
    const context = drawn.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.lineCap = "round";
    return context;
  }

  /** With a true minus, and never minus zero. */
  const number = (value, digits = 2) => value.toFixed(digits).replace(/^-(?=0\.?0*$)/, "").replace("-", "−");
  /** A whole percent; what is more than nothing is never 0 %, and what is less than all never 100 %. */
  const percent = (share) => {
    const whole = Math.round(100 * share);
    if (whole === 0 && share > 0) return say`<1\u00a0%`;
    return say`${whole === 100 && share < 0.9999 ? ">99" : whole}\u00a0%`;
  };

  /** Two decimals of a percent. */
  const exact = (share) => (share > 0 && share < 0.00005 ? say`<0.01\u00a0%` : say`${number(100 * share)}\u00a0%`);

  /** Put an element where it belongs. */
  const placed = (element, x, y, more = {}) => {
    Object.assign(element.style, { left: `${x}px`, top: `${y}px`, ...more });
    return element;
  };

  Object.assign(M, {
    box, clamp, css, dot, ease, exact, level, line, mix, number, palette, part, percent, placed, pointAt, scaleOf, shade, sheet,
    sized, strip, stroke,
  });
})();
