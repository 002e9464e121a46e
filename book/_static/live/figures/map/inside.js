/**
 * The inside of a block: its real matrices for this sentence, what they mean, its chapter and its lines of minimal.py.
 *
 * inside(view) fills view.host; view: {host, stage, run, colours, plan, row, head, places, translator, pick, turn}. Rows are
 * tokens; pick(row) is told which one is chosen, turn(head) which head. A sketch per block stands in inside_attention.js
 * and inside_other.js.
 */
"use strict";

(() => {
  const M = AnnotatedTransformer.map;
  const { h, say } = AnnotatedTransformer;
  const ROOM_FOR_NUMBERS = 25; // pixels of a cell
  const TITLES = {
    embed: [say`Words become vectors`, say`A token’s row of the embedding matrix, plus the waves of its place, is the vector that travels on.`],
    self: [say`Self-attention`, say`Each query meets every key, in several heads. Softmax turns a row of scores into shares of 100 %, and the shares mix the values.`],
    masked: [say`Masked self-attention`, say`The same, but no token looks at what is not yet written: those scores never reach the softmax.`],
    cross: [say`Cross-attention`, say`A row asks for what follows its token. The queries come from what is written so far, the keys and values from the memory.`],
    ffn: [say`Feed-forward network`, say`Each vector by itself is widened. ReLU silences the units below zero, and the rest are folded back.`],
    norm: [say`Add & norm`, say`What the block found is added to the vector that came in. Then each vector is centred and scaled, and gain and bias are applied.`],
    out: [say`From a vector to a word`, say`The last vector meets every token of the vocabulary, and softmax makes the scores probabilities. Beam search keeps the four most probable beginnings.`],
  };

  /** A drawing of matrices with names around it; `say` and `names` make text, the rest is drawn at the end. */
  class Sketch {
    constructor({ run, colours, plan, row, stage, pick, translator }) {
      const side = stage.side;
      Object.assign(this, { run, colours, plan, row, stage, pick, translator, side, wide: plan.wide, width: plan.width });
      this.own = side === "enc" ? run.source : run.names;
      this.hue = side === "enc" ? colours.source : colours.target;
      this.left = Math.max(this.wide ? 72 : 56, (side === "enc" ? plan.first : plan.second) + 4);
      this.labels = h("div", { className: "map-labels" });
      this.canvas = h("canvas", { "aria-hidden": "true" });
      [this.draws, this.grids, this.height, this.first] = [[], [], 0, ""];
    }

    say(x, y, words, className = "", more = {}) {
      const made = M.placed(h("span", { className: `map-text ${className}` }, words), x, y, more);
      this.labels.append(made);
      return made;
    }

    /** Names of rows that end at x; those of the own side choose the row. */
    names(list, x, y, step, choose = false) {
      list.forEach((name, i) => {
        const chosen = choose && i === this.row;
        const made = choose
          ? h("button", { type: "button", className: `map-token ${chosen ? "map-chosen" : ""}`, onclick: () => this.pick(i) }, name)
          : h("span", { className: "map-token map-still" }, name);
        M.placed(made, 0, y + (i + 0.5) * step, { left: "auto", right: `${this.width - x}px` });
        this.labels.append(made);
      });
    }

    /** A matrix of cells, with its numbers where they fit: value(i, j) is null where there is none. */
    grid([x, y, cell, high], n, m, value, { colour, show, tell }) {
      this.grids.push({ x, y, cell, high, n, m, tell: (i, j) => tell(i, j, value(i, j)) });
      this.draws.push((context) => {
        Object.assign(context, { textAlign: "center", textBaseline: "middle", font: `12px ${getComputedStyle(context.canvas).fontFamily}` });
        for (let i = 0; i < n; i++) {
          for (let j = 0; j < m; j++) {
            const number = value(i, j), at = [x + j * cell + 0.5, y + i * high + 0.5, cell - 1, high - 1];
            if (number === null) {
              context.lineWidth = 1;
              M.box(context, at, 0, null, M.css(this.colours.neutral, 0.22));
              continue;
            }
            const fill = colour(number);
            M.box(context, at, 0, M.css(fill));
            if (cell < ROOM_FOR_NUMBERS || high < 15) continue;
            context.fillStyle = fill[0] * 0.3 + fill[1] * 0.59 + fill[2] * 0.11 > 128 ? "#000" : "#fff";
            const words = show(number, cell); // what does not fit is told when one points at it
            if (context.measureText(words).width <= cell) context.fillText(words, x + (j + 0.5) * cell, y + (i + 0.5) * high + 0.5);
          }
        }
        if (this.row >= n) return;
        context.lineWidth = 1.5;
        M.box(context, [x, y + this.row * high, m * cell, high], 2, null, M.css(this.colours.ink));
      });
    }

    /** Rows of numbers as strips: each folded into `cols` columns of so many pixels. */
    strips([x, y, cell, step], rows, cols, plus, { tell, scale = M.scaleOf(rows), high = step - 6 }) {
      const lines = Math.ceil(rows[0].length / cols);
      const sheet = M.sheet({ rows, scale }, cols, plus, this.colours);
      const top = (i) => y + i * step + (step - high) / 2;
      this.draws.push((context) => rows.forEach((_, i) => M.strip(context, sheet, i, [x, top(i), cols * cell, high])));
      this.grids.push({ x, y, cell, high: step, n: rows.length, m: cols, tell: (i, j, py) => {
        const line = Math.floor(M.clamp((py - top(i)) / high, 0, 0.999) * lines), place = line * cols + j;
        return place < rows[i].length ? say`${tell(i)}, number ${place + 1} of ${rows[i].length}: ${M.number(rows[i][place])}` : tell(i);
      } });
    }

    /** The rows that the map shows of a tensor. */
    rows(name, count = this.own.length) {
      return this.run.tensor(name).rows().slice(0, count);
    }

    /** Draw, and tell of the number under the pointer. */
    finish(readout) {
      const context = M.sized(this.canvas, this.width, this.height);
      for (const draw of this.draws) draw(context);
      readout.textContent = this.first;
      this.canvas.onpointermove = ({ offsetX, offsetY }) => {
        const hit = this.grids.find(({ x, y, cell, high, n, m }) =>
          offsetX >= x && offsetX < x + m * cell && offsetY >= y && offsetY < y + n * high);
        readout.textContent = hit
          ? hit.tell(Math.floor((offsetY - hit.y) / hit.high), Math.floor((offsetX - hit.x) / hit.cell), offsetY) : this.first;
      };
      this.canvas.onpointerleave = () => { readout.textContent = this.first; };
    }
  }

  /** The chapter of a block, and its lines of minimal.py: text, unfolded in place, with a link where the code has an address. */
  function ways(block, places) {
    const found = places?.blocks[block];
    if (!found) return [];
    const lines = ({ lines: [first, last] }) => (first === last ? say`line ${first}` : say`lines ${first}–${last}`);
    const code = found.code.map((piece) => h("details", { className: "map-code" },
      h("summary", {}, h("code", {}, piece.name), say` in minimal.py, ${lines(piece)}`),
      h("pre", { tabIndex: 0 }, piece.text),
      ...(piece.link ? [h("a", { href: piece.link }, say`These lines in the repository`)] : [])));
    return [h("p", { className: "map-ways" }, say`Chapter: `, h("a", { href: found.chapter }, found.title)), ...code];
  }

  /** Fill the host; returns what a screen reader hears. */
  function inside(view) {
    const { host, stage, run, places } = view;
    const [title, words] = TITLES[stage.block];
    const side = stage.side === "enc" ? say`encoder` : say`decoder`;
    const where = stage.layer !== null ? say`${side}, layer ${stage.layer + 1}` : stage.kind === "embed" ? side : "";
    const head = h("div", { className: "map-inside-head" },
      h("p", { className: "map-inside-title" }, title, where ? h("small", {}, ` ${where}`) : ""), h("p", {}, words));
    const readout = h("p", { className: "map-readout" });
    if (!run?.live) {
      readout.textContent = say`Its numbers come with the model, which is on its way.`;
      host.replaceChildren(head, readout, ...ways(stage.block, places));
      return `${title}. ${words}`;
    }
    const sketch = new Sketch(view);
    M.sketches[stage.block](sketch, view);
    const figure = h("div", { className: "map-inside-figure", style: `height:${sketch.height}px` }, sketch.canvas, sketch.labels);
    host.replaceChildren(head, ...(sketch.above ?? []), figure, readout, ...(sketch.below ?? []), ...ways(stage.block, places));
    sketch.finish(readout);
    return `${title}. ${words} ${sketch.first}`;
  }

  Object.assign(M, { inside, sketches: {} });
})();
