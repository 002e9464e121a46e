/**
 * Figure *Masks*: choose the cells of a mask, and see what an output depends on after one layer, two, three.
 *
 * The rule is that of the theorem "Depth and detours": a layer makes row i from row i itself (the
 * residual connection) and from the rows that i may look at. No weights are needed for that.
 */
"use strict";

(() => {
  const { LiveFigure, h, say, svg } = AnnotatedTransformer;
  const WORDS = ["<s>", "나는", "학생", "이다", "<pad>", "<pad>"];
  const NAMES = ["<s>", "나는", "학생", "이다", say`the first <pad>`, say`the second <pad>`];
  const LAYERS = 3;
  const PITCH = 44; // pixels from row to row, as in masks.css
  const PRESETS = {
    [say`no mask`]: () => true,
    [say`padding`]: (_, key) => key < 4,
    [say`causal`]: (query, key) => key <= query,
    [say`both`]: (query, key) => key <= query && key < 4,
    [say`a window of two`]: (query, key) => key <= query && key > query - 2,
    [say`nothing`]: () => false,
  };
  const square = (allowed) => WORDS.map((_, query) => WORDS.map((_, key) => allowed(query, key)));

  /** For 0, 1 ... `layers` layers: which rows of the input row `output` of the output may depend on. */
  function reach(mask, output, layers) {
    const found = [mask.map((_, i) => i === output)];
    for (let n = 0; n < layers; n++) {
      const last = found.at(-1);
      found.push(last.map((reached, j) => reached || last.some((is, i) => is && mask[i][j])));
    }
    return found;
  }

  class LiveMasks extends LiveFigure {
    static model = null;
    static wide = true;

    build(stage) {
      const first = say`a window of two`;
      this.mask = square(PRESETS[first]);
      this.presets = Object.entries(PRESETS).map(([name, allowed]) => h("button", {
        type: "button", className: "live-button", "aria-pressed": String(name === first),
        onclick: () => { this.mask = square(allowed); this.update(); },
      }, name));
      this.cells = this.mask.map((row, query) => row.map((_, key) => h("button", {
        type: "button", className: "masks-cell", tabIndex: query || key ? -1 : 0,
        "aria-label": say`${NAMES[query]} may look at ${NAMES[key]}`,
        onclick: () => this.click(query, key),
        onpointerdown: () => { this.brush = { query, key, is: !this.mask[query][key], painted: false }; },
        onpointerenter: (event) => this.paint(event, query, key),
        onkeydown: (event) => this.move(event, query, key),
      })));
      this.outputs = WORDS.map((word, i) => h("input", {
        type: "radio", name: "masks-output", checked: i === 3, onchange: () => this.update(),
      }));
      const choices = this.outputs.map((input, i) => h("label", {}, input, NAMES[i].replace("the ", "")));
      this.found = h("ul", { className: "masks-found", "aria-live": "polite" });
      stage.append(
        h("p", { className: "live-label" }, say`Press cells or paint over them; choose an output to follow`),
        h("div", { className: "live-masks" }, this.table(), h("div", { className: "masks-layers" }, this.layers()),
          h("fieldset", { className: "masks-outputs" }, h("legend", {}, say`output`), ...choices)),
        h("div", { className: "live-row", role: "group", "aria-label": say`Begin with` }, ...this.presets),
        this.found); // last, for its lines are now one and now two, and would move what is pressed
      this.show();
    }

    /** A click changes one cell, unless it ends a stroke of the brush. */
    click(query, key) {
      if (!this.brush?.painted) this.set([[query, key]], !this.mask[query][key]);
      this.brush = null;
    }

    /** With the button of a mouse down, every cell becomes what the first one becomes. */
    paint({ buttons, pointerType }, query, key) {
      if (!this.brush || pointerType === "touch" || buttons !== 1) return;
      const { brush } = this;
      this.set([[brush.query, brush.key], [query, key]], brush.is);
      brush.painted = true;
    }

    set(cells, is) {
      for (const [query, key] of cells) this.mask[query][key] = is;
      this.update();
    }

    *draw() {
      this.show();
    }

    table() {
      const heads = WORDS.map((word) => h("th", { scope: "col", lang: "ko" }, word));
      const rows = this.cells.map((row, i) => h("tr", {},
        h("th", { scope: "row", lang: "ko" }, WORDS[i]), ...row.map((cell) => h("td", {}, cell))));
      return h("table", { className: "masks-table" },
        h("thead", {}, h("tr", {}, h("td", {}), ...heads)), h("tbody", {}, ...rows));
    }

    /** Arrow keys walk through the cells; only the cell where one is stands in the order of tabs. */
    move(event, query, key) {
      const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
      const next = step && this.cells[query + step[0]]?.[key + step[1]];
      if (!next) return;
      event.preventDefault();
      this.cells[query][key].tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    }

    show() {
      const same = (allowed) => this.mask.every((row, i) => row.every((is, j) => is === allowed(i, j)));
      Object.values(PRESETS).forEach((allowed, n) =>
        this.presets[n].setAttribute("aria-pressed", String(same(allowed))));
      this.mask.forEach((row, i) => row.forEach((is, j) => {
        this.cells[i][j].setAttribute("aria-pressed", String(is));
      }));
      const output = this.outputs.findIndex((input) => input.checked);
      const reached = reach(this.mask, output, LAYERS);
      this.light(reached);
      this.found.replaceChildren(...reached.slice(1).map((rows, n) => h("li", {},
        say`After ${n + 1} layer${n ? "s" : ""}, ${NAMES[output]} depends on ${listed(rows)}.`)));
    }

    /** From left to right the input and the layers, a row for each word, as in the grid; all lines there can be. */
    layers() {
      const x = (layer) => `${4 + (92 * layer) / LAYERS}%`;
      const y = (i) => PITCH * (i + 1.5);
      this.lines = [];
      for (let layer = 1; layer <= LAYERS; layer++) {
        WORDS.forEach((_, i) => WORDS.forEach((_, j) => {
          const line = svg("line", { x1: x(layer - 1), y1: y(j), x2: x(layer), y2: y(i) });
          this.lines.push({ layer, i, j, line });
        }));
      }
      this.dots = Array.from({ length: LAYERS + 1 }, (_, layer) =>
        WORDS.map((_, i) => svg("circle", { cx: x(layer), cy: y(i), r: 7 })));
      const names = [say`input`, ...Array.from({ length: LAYERS }, (_, n) => say`layer ${n + 1}`)];
      return this.graph = svg("svg", { role: "img" }, ...this.lines.map(({ line }) => line), ...this.dots.flat(),
        ...names.map((name, layer) => svg("text", { x: x(layer), y: PITCH / 2 + 4 }, name)));
    }

    /** Light what passes something on to the output that is followed. */
    light(reached) {
      for (const { layer, i, j, line } of this.lines) {
        const is = this.mask[i][j];
        const shown = is || i === j ? (reached[LAYERS - layer][i] ? "masks-on" : "masks-off") : "";
        line.setAttribute("class", `${shown}${is ? "" : " masks-residual"}`);
      }
      this.dots.forEach((dots, layer) => dots.forEach((dot, i) =>
        dot.classList.toggle("masks-on", reached[LAYERS - layer][i])));
      this.graph.setAttribute("aria-label",
        say`${LAYERS} layers; lines lead to the output from ${listed(reached[LAYERS])}.`);
    }
  }

  function listed(rows) {
    const names = NAMES.filter((_, i) => rows[i]);
    if (names.length === 1) return say`${names[0]} alone`;
    return say`${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  }

  AnnotatedTransformer.reach = reach;
  customElements.define("live-masks", LiveMasks);
})();
