/**
 * Figure *Masks*: click the cells of a mask, and see what an output depends on after one layer, two, three.
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
        onclick: () => { this.mask[query][key] = !this.mask[query][key]; this.update(); },
        onkeydown: (event) => this.move(event, query, key),
      })));
      this.outputs = WORDS.map((word, i) => h("input", {
        type: "radio", name: "masks-output", checked: i === 3, onchange: () => this.update(),
      }));
      this.graph = svg("svg", { viewBox: "0 0 370 250", role: "img" });
      this.found = h("ul", { "aria-live": "polite" });
      const choices = this.outputs.map((input, i) => h("label", {}, input, ` ${NAMES[i].replace("the ", "")}`));
      stage.append(
        h("p", { className: "live-label" }, say`Begin with`),
        h("div", { className: "live-row" }, ...this.presets),
        h("div", { className: "masks-sides" },
          h("div", {}, h("p", { className: "live-label" }, say`Who may look at whom: click a cell`), this.table()),
          h("div", {}, h("fieldset", { className: "masks-outputs" },
            h("legend", { className: "live-label" }, say`Follow the output of`), ...choices), this.graph)),
        this.found);
      this.show();
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
        this.cells[i][j].textContent = is ? "" : "×";
      }));
      const output = this.outputs.findIndex((input) => input.checked);
      const reached = reach(this.mask, output, LAYERS);
      this.drawGraph(reached);
      this.found.replaceChildren(...reached.slice(1).map((rows, n) => h("li", {},
        say`After ${n + 1} layer${n ? "s" : ""}, ${NAMES[output]} depends on ${listed(rows)}.`)));
    }

    /** Rows of words, the input at the bottom; lines where a layer passes something on to the output chosen. */
    drawGraph(reached) {
      const x = (i) => 80 + 53 * i;
      const y = (layer) => 205 - 58 * layer;
      const lines = [], dots = [];
      for (let layer = 1; layer <= LAYERS; layer++) {
        const needed = reached[LAYERS - layer]; // rows of this level that reach the output
        this.mask.forEach((row, i) => row.forEach((is, j) => {
          if (!is && i !== j) return;
          lines.push([needed[i], svg("line", {
            x1: x(j), y1: y(layer - 1) - 9, x2: x(i), y2: y(layer) + 9,
            class: `${needed[i] ? "masks-on" : "masks-off"}${is ? "" : " masks-residual"}`,
          })]);
        }));
      }
      for (let layer = 0; layer <= LAYERS; layer++) {
        WORDS.forEach((_, i) => dots.push(svg("circle", {
          cx: x(i), cy: y(layer), r: 8, class: reached[LAYERS - layer][i] ? "masks-on" : "masks-off",
        })));
      }
      lines.sort(([a], [b]) => a - b); // those that matter above the others
      const words = WORDS.map((word, i) => svg("text", { x: x(i), y: 236, lang: "ko" }, word));
      const levels = reached.map((_, layer) => svg("text", { x: 28, y: y(layer) + 4 }, layer ? say`layer ${layer}` : say`input`));
      const rows = reached[LAYERS];
      this.graph.setAttribute("aria-label",
        say`${LAYERS} layers; lines lead to the output from ${listed(rows)}.`);
      this.graph.replaceChildren(...lines.map(([, line]) => line), ...dots, ...words, ...levels);
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
