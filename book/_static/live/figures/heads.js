/**
 * Figure *Heads*: a switchboard of all 24 heads; switch some off, and read the translation without them.
 *
 * Each switch shows where its head looks: a row of cells for each token that asks, a column for each that
 * is asked. A head that is off adds nothing: its part of what the heads found is zero before the output projection,
 * as `without_heads` has it (lab/analysis/heads.py). Translations are greedy, as in the chapter.
 */
"use strict";

(() => {
  const {
    BOS, LiveFigure, h, headsAtRest, language, marked, readingRemarks, remarks, say, sentenceField, sentenceIn, showDoubt,
  } = AnnotatedTransformer;
  const SENTENCES = [
    "Anna bought three books and two apples",
    "The goat did not climb the mountain because it was too high",
    "I want to drink coffee because I am tired",
    "The doctor met the judge who rode the camel",
  ];
  /** The first as the model translates it, before it is there (tests/live/test_heads.py). */
  const REST = "안나는 책 세 권과 사과 두 개를 샀다";
  const SAME = say`The translation is the same as with all heads.`;
  const HEADS = 4;
  const MAP = 128; // pixels of the side of a map, at most; it is shown at half of that
  /** Rows of the board, and the names that their heads earn in *Reading attention* (the same test). */
  const BOARD = [
    [say`encoder 1`, "encoder.layers.0.self_attention", ["", say`same`, "", say`end`]],
    [say`encoder 2`, "encoder.layers.1.self_attention", ["", "", "", ""]],
    [say`decoder 1`, "decoder.layers.0.self_attention", [say`same`, say`same`, say`begin`, say`same`]],
    [say`decoder 2`, "decoder.layers.1.self_attention", ["", say`same`, say`same`, ""]],
    [say`cross 1`, "decoder.layers.0.cross_attention", [say`end`, "", "", say`end`]],
    [say`cross 2`, "decoder.layers.1.cross_attention",
      [say`writing`, say`writing, counter`, say`writing, counter`, say`writing`]],
  ];

  /** A hook that takes out what some heads add; off has "PATH head" strings. */
  function withoutHeads(off) {
    return (name, tensor) => {
      if (!name.endsWith(".heads")) return;
      const path = name.slice(0, -".heads".length);
      const width = tensor.shape[1] / HEADS;
      for (let head = 0; head < HEADS; head++) {
        if (!off.has(`${path} ${head}`)) continue;
        tensor.rows().forEach((row) => row.fill(0, head * width, (head + 1) * width));
      }
    };
  }

  /** The weights of all attentions while a sentence is read and its translation written, as in headsAtRest. */
  function mapsOf({ model, config }, source, written, off) {
    const maps = {};
    const out = off.size ? withoutHeads(off) : () => {};
    const look = (name, tensor) => {
      if (name.endsWith(".weights")) maps[name.slice(0, -".weights".length)] = tensor;
      out(name, tensor);
    };
    model.decode([BOS, ...written].slice(0, config.max_length), model.encode(source, look), look);
    return maps;
  }

  /** The weights of a head as cells in a canvas. */
  function paint(canvas, weights, keys) {
    const queries = weights.length / keys;
    const side = Math.max(2, Math.floor(MAP / Math.max(keys, queries)));
    Object.assign(canvas, { width: side * keys, height: side * queries });
    const brush = canvas.getContext("2d");
    brush.fillStyle = getComputedStyle(canvas).color;
    weights.forEach((weight, n) => {
      brush.globalAlpha = Math.max(weight, 0.06); // a cell that is hardly looked at is there
      brush.fillRect(side * (n % keys), side * Math.floor(n / keys), side - 1, side - 1);
    });
  }

  class LiveHeads extends LiveFigure {
    static wide = true;

    build(stage) {
      this.off = new Set();
      const { field, element } = sentenceField(SENTENCES, () => this.update(), this.status);
      this.field = field;
      this.canvases = BOARD.map(([, , names]) => names.map(() => h("canvas", { "aria-hidden": "true" })));
      this.states = BOARD.map(([, , names]) => names.map(() => h("span", { className: "live-hidden" })));
      this.cells = BOARD.map(([, path, names], i) => names.map((name, head) => h("button", {
        type: "button", className: "heads-cell", tabIndex: i || head ? -1 : 0,
        onclick: () => this.toggle([`${path} ${head}`]),
        onkeydown: (event) => this.move(event, i, head),
      }, this.states[i][head], this.canvases[i][head], ...(name ? [h("span", { className: "heads-name" }, name)] : []))));
      this.whole = h("p", { lang: "ko", className: "heads-whole" }, REST);
      this.found = h("p", { className: "heads-found heads-same", "aria-live": "polite" }, SAME);
      this.counted = h("p", { className: "live-label" });
      this.back = h("button", { type: "button", className: "live-button", onclick: () => {
        this.off.clear();
        this.show();
        this.update();
      } }, say`Switch all heads on`);
      stage.append(element,
        h("div", { className: "heads-sides" },
          h("div", {}, h("p", { className: "live-label" }, say`With all heads`), this.whole),
          h("div", {}, this.counted, this.found)),
        h("p", { className: "live-label" },
          say`Choose a head to switch it off or on, or a row’s name for all four`),
        this.board(), h("div", { className: "live-row" }, this.back));
      BOARD.forEach(([, path], i) => headsAtRest[path].heads.forEach((weights, head) =>
        paint(this.canvases[i][head], Array.from(weights, (digit) => digit / 9), headsAtRest[path].keys)));
      this.show();
    }

    board() {
      const rows = BOARD.map(([row, path], i) => h("tr", {},
        h("th", { scope: "row" }, h("button", {
          type: "button", className: "live-button heads-row", "aria-label": say`${row}, all heads`,
          onclick: () => this.toggle([...Array(HEADS).keys()].map((head) => `${path} ${head}`)),
        }, row)),
        ...this.cells[i].map((cell) => h("td", {}, cell))));
      const heads = [...Array(HEADS).keys()].map((head) => h("th", { scope: "col" }, say`head ${head + 1}`));
      return h("table", { className: "heads-board" },
        h("thead", {}, h("tr", {}, h("td", {}), ...heads)), h("tbody", {}, ...rows));
    }

    /** Switch these heads off, or on if all of them are off. */
    toggle(heads) {
      const off = heads.every((head) => this.off.has(head));
      heads.forEach((head) => (off ? this.off.delete(head) : this.off.add(head)));
      this.show();
      this.update();
    }

    /** Arrow keys walk over the board; only the cell where one is stands in the order of tabs. */
    move(event, row, head) {
      const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
      const next = step && this.cells[row + step[0]]?.[head + step[1]];
      if (!next) return;
      event.preventDefault();
      this.cells[row][head].tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    }

    show() {
      BOARD.forEach(([row, path, names], i) => names.forEach((_, head) => {
        const on = !this.off.has(`${path} ${head}`);
        this.cells[i][head].setAttribute("aria-pressed", String(on));
        this.states[i][head].textContent = say`${row}, head ${head + 1}: ${on ? say`on` : say`off`} `;
      }));
      const total = BOARD.length * HEADS;
      // Not `disabled`: that would take the focus away from a reader who has just pressed the button with a key.
      this.back.setAttribute("aria-disabled", String(!this.off.size));
      this.counted.textContent = this.off.size
        ? say`With ${total - this.off.size} of ${total} heads` : say`Nothing is switched off`;
    }

    *draw(translator) {
      this.show();
      this.whole.textContent = this.found.textContent = "";
      const text = sentenceIn(this.field, translator);
      const greedy = { size: 1, alpha: 0 };
      if (this.text !== text) this.all = yield* translator.translate(text, greedy);
      this.text = text;
      this.whole.textContent = this.all.text;
      const off = new Set(this.off);
      const found = off.size
        ? yield* translator.translate(text, { ...greedy, hook: withoutHeads(off) }) : this.all;
      const same = found.text === this.all.text;
      this.found.lang = same ? language : "ko";
      this.found.classList.toggle("heads-same", same);
      this.found.replaceChildren(...(same ? [SAME] : marked(this.all.text, found.text)));
      yield; // the translation is there before the maps are
      const maps = mapsOf(translator, translator.sourceIds(text), found.ids, off);
      BOARD.forEach(([, path], i) => this.canvases[i].forEach((canvas, head) => {
        const { shape: [, queries, keys], data } = maps[path];
        paint(canvas, data.slice(head * queries * keys, (head + 1) * queries * keys), keys);
      }));
      const doubts = remarks(found, translator);
      showDoubt(this.found, doubts);
      this.say([...readingRemarks(this.field, translator), ...doubts].join(" "));
    }
  }

  customElements.define("live-heads", LiveHeads);
})();
