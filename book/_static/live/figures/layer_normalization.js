/**
 * Figure *LayerNorm*: what becomes of a row on its way up through feed-forward sublayers, post-LN and pre-LN.
 *
 * The networks are those of the theorem "Feed-forward sublayers at initialisation": Glorot's rule, width 64
 * to 256 and back, zero biases, times the scale of the branch. They are drawn once, by a fixed seed, and
 * really multiplied; the formulas stand beside what was measured.
 */
"use strict";

(() => {
  const { LiveFigure, Tensor, h, linear, once, player, say, svg } = AnnotatedTransformer;
  const WIDTH = 64, INNER = 256, ROWS = 16, DEPTH = 24;
  const C = (2 * (INNER / WIDTH)) / (1 + INNER / WIDTH) ** 2; // 0.32 of the theorem
  const SCALES = [0.5, 1, 1.5];
  const NAMES = { post: say`Post-LN (the paper)`, pre: "Pre-LN" };
  const SIZE = { post: () => 1, pre: (c, k) => Math.sqrt(1 + c * k) };
  const COSINE = { post: (c, k) => (1 + c) ** (-k / 2), pre: (c, k) => 1 / Math.sqrt(1 + c * k) };

  const fixed = (number) => number.toFixed(2).replace("-", "\u2212").replace(/^\u2212(0\.00)$/, "$1");

  /** Numbers in [0, 1) that follow from the seed alone (mulberry32). */
  function uniform(seed) {
    return () => {
      seed = (seed + 0x6d2b79f5) | 0;
      let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
    };
  }

  function matrix(shape, draw) {
    const tensor = new Tensor(shape);
    tensor.data.forEach((_, i) => { tensor.data[i] = draw(); });
    return tensor;
  }

  /** {rows, networks}: what goes in, with normal numbers, and [W1, W2] of each sublayer. */
  function drawn(seed) {
    const next = uniform(seed);
    const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
    const limit = Math.sqrt(6 / (WIDTH + INNER));
    const glorot = () => limit * (2 * next() - 1);
    const rows = normalised(matrix([ROWS, WIDTH], normal));
    const networks = Array.from({ length: DEPTH }, () =>
      [matrix([INNER, WIDTH], glorot), matrix([WIDTH, INNER], glorot)]);
    return { rows, networks };
  }

  /** Each row less its mean, divided by its standard deviation. */
  function normalised(x) {
    const y = new Tensor(x.shape);
    x.rows().forEach((row, i) => {
      const mean = row.reduce((sum, value) => sum + value, 0) / row.length;
      const variance = row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / row.length;
      y.row(i).set(row.map((value) => (value - mean) / Math.sqrt(variance + 1e-6)));
    });
    return y;
  }

  /** The rows after 0, 1 ... sublayers. */
  function pass({ rows, networks }, scale, norm) {
    const stack = [rows];
    for (const [w1, w2] of networks) {
      const x = stack.at(-1);
      const inner = linear(norm === "pre" ? normalised(x) : x, w1);
      inner.data.forEach((value, i) => { inner.data[i] = Math.max(0, value); });
      const y = linear(inner, w2);
      y.data.forEach((value, i) => { y.data[i] = x.data[i] + scale * value; });
      stack.push(norm === "post" ? normalised(y) : y);
    }
    return stack;
  }

  /** Size (root mean square of the numbers) and cosine with what went in, means over the rows. */
  function compared(stack) {
    const dot = (a, b) => a.reduce((sum, value, i) => sum + value * b[i], 0);
    return stack.map((x) => {
      let cosine = 0;
      x.rows().forEach((row, i) => {
        const first = stack[0].row(i);
        cosine += dot(row, first) / Math.sqrt(dot(row, row) * dot(first, first)) / x.shape[0];
      });
      return { size: Math.sqrt(dot(x.data, x.data) / x.data.length), cosine };
    });
  }

  class LiveLayerNormalization extends LiveFigure {
    static model = null;
    static wide = true;

    build(stage) {
      this.random = drawn(1);
      this.scale = 1;
      this.player = player(say`Sublayers passed`, { min: 0, max: DEPTH, value: 12 }, (byHand) => {
        // While it plays nothing is said.
        for (const { numbers } of this.sides) numbers.setAttribute("aria-live", byHand ? "polite" : "off");
        this.update();
      });
      this.scales = SCALES.map((scale) => h("button", {
        type: "button", className: "live-button", onclick: () => { this.scale = scale; this.update(); },
      }, scale.toFixed(1)));
      this.sides = ["post", "pre"].map((norm) => ({
        norm, picture: svg("svg", { viewBox: "-12 -162 420 186", role: "img" }), numbers: h("p", { "aria-live": "polite", "aria-atomic": "true" }),
      }));
      stage.append(h("div", { className: "norms-sides" }, ...this.sides.map((side) => h("div", {},
        h("p", { className: "norms-name" }, NAMES[side.norm]),
        side.picture, side.numbers))),
      h("div", { className: "live-row", role: "group", "aria-label": say`Weights of the branch, times` },
        h("span", { className: "live-note" }, say`Weights of the branch, times`), ...this.scales), this.player.element);
      this.show();
      once(this, this.player.element, () => this.player.play(this.player.input.value));
    }

    *draw() {
      this.show();
    }

    show() {
      const { scale } = this, k = Number(this.player.input.value);
      this.player.tell(say`${k} of ${DEPTH}`);
      this.scales.forEach((button, n) => button.setAttribute("aria-pressed", String(SCALES[n] === scale)));
      if (scale !== this.measuredScale) {
        this.measuredScale = scale;
        for (const side of this.sides) side.steps = compared(pass(this.random, scale, side.norm));
      }
      const c = C * scale ** 2;
      for (const { norm, steps, picture, numbers } of this.sides) {
        const [size, cosine] = [SIZE, COSINE].map((formula) => formula[norm](c, k).toFixed(2));
        const found = say`Size ${fixed(steps[k].size)} (formula ${size}),
          cosine with the start ${fixed(steps[k].cosine)} (formula ${cosine}).`;
        // A reader who only hears it does not see above which of the two it stands.
        numbers.replaceChildren(h("span", { className: "live-hidden" }, `${NAMES[norm]}: `), found);
        picture.setAttribute("aria-label", say`The row as an arrow. ${found}`);
        picture.replaceChildren(...arrows(steps, k));
      }
    }
  }

  /**
   * Each row as an arrow: as long as it is large, turned by the angle to the row that went in, which points upwards. So the
   * long ones lie along the width that there is.
   */
  function arrows(steps, k) {
    const unit = 92, right = 400, named = 210; // what the name at the tip takes at most
    const tips = steps.map(({ size, cosine }) =>
      [unit * size * Math.sqrt(Math.max(0, 1 - cosine ** 2)), -unit * size * cosine]);
    const angle = Math.round((180 / Math.PI) * Math.acos(Math.max(-1, Math.min(1, steps[k].cosine))));
    const line = ([x, y], name) => svg("line", { x1: 0, y1: 0, x2: x, y2: y, class: name });
    return [
      svg("line", { x1: 0, y1: 0, x2: right, y2: 0, class: "norms-axis" }),
      svg("line", { x1: 0, y1: 0, x2: 0, y2: -158, class: "norms-axis" }),
      svg("path", { d: `M${unit} 0A${unit} ${unit} 0 0 0 0 ${-unit}`, class: "norms-axis" }),
      ...tips.slice(0, k).map((tip) => line(tip, "norms-before")),
      line(tips[0], "norms-start"), line(tips[k], "norms-now"),
      ...tips.slice(0, k + 1).map(([x, y]) => svg("circle", { cx: x, cy: y, r: 2.5 })),
      svg("text", { x: 0, y: 20, class: "norms-start-name" }, say`start: size 1, 0°`),
      svg("text", { x: 8, y: -146 }, say`direction at the start`),
      ...(k ? [svg("text", { x: Math.min(tips[k][0] + 10, right - named), y: Math.min(tips[k][1], 0) - 12, class: "norms-now-name" },
        say`after ${k}: size ${fixed(steps[k].size)}, ${angle}°`)] : []),
    ];
  }

  AnnotatedTransformer.norms = { compared, drawn, pass };
  customElements.define("live-layer-normalization", LiveLayerNormalization);
})();
