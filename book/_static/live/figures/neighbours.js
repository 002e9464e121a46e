/**
 * Figure *Neighbours*: the rows of the trained embedding that point most nearly where a piece's row does.
 *
 * The piece stands in the middle, and each neighbour as far from it as the angle between their rows.
 * Nearness is the cosine of two rows, over all pieces of the vocabulary, as in the chapter. The training
 * text never needs bytes, and so has moved their rows only as wrong answers: all to one direction. A row
 * that still points there is that of a piece which the training text has never, or at most ten times
 * (tests/live/test_neighbours.py counts).
 */
"use strict";

(() => {
  const { BadInput, LiveFigure, SPACE_MARK, h, say } = AnnotatedTransformer;
  const PIECES = ["▁student", "▁dog", "▁seven", "▁the", "▁나는", "를"];
  const SHOWN = 8; // as many as DIRECTIONS
  const LONGEST = 60; // characters
  const BYTE = "<0x00>", UNTRAINED = 0.96; // cosine with the row of a byte
  /** The first piece's neighbours, before the model is there (tests/live/test_neighbours.py). */
  const REST = { nearest: [["▁researcher", 0.5935], ["▁soldier", 0.5858], ["ora", 0.5736], ["▁boy", 0.5732],
    ["▁writer", 0.568], ["▁model", 0.5644], ["▁worker", 0.5544], ["▁boss", 0.5529]], middle: 0.1008, others: 2999, untrained: false };

  const RINGS = [30, 60, 90]; // degrees
  const degrees = (cosine) => (180 / Math.PI) * Math.acos(Math.max(-1, Math.min(1, cosine)));
  /** Directions of the neighbours in the field, the nearest at the upper right, then to and fro; none right above. */
  const DIRECTIONS = [-22.5, -157.5, 22.5, 157.5, -67.5, -112.5, 67.5, 112.5].map((turn) => {
    const angle = (turn * Math.PI) / 180;
    return [Math.cos(angle), Math.sin(angle)];
  });

  const signed = (number) => number.toFixed(2).replace("-", "\u2212").replace(/^\u2212(0\.00)$/, "$1");

  /** Each row divided by its length. */
  function directions(matrix) {
    return matrix.rows().map((row) => {
      const length = Math.sqrt(row.reduce((sum, value) => sum + value * value, 0));
      return row.map((value) => value / length);
    });
  }

  /** The pieces with the largest cosines, the middle one of all cosines, and whether they mean anything. */
  function neighbours(rows, id, pieces) {
    const cosine = (row) => row.reduce((sum, value, n) => sum + value * rows[id][n], 0);
    const untrained = cosine(rows[pieces.indexOf(BYTE)]) > UNTRAINED;
    const all = rows.map((row, other) => [cosine(row), other]).filter(([, other]) => other !== id);
    all.sort(([a], [b]) => b - a);
    const nearest = all.slice(0, SHOWN).map(([value, other]) => [pieces[other], value]);
    return { nearest, middle: all[Math.floor(all.length / 2)][0], others: all.length, untrained };
  }

  class LiveNeighbours extends LiveFigure {
    static wide = true;

    build(stage) {
      this.piece = PIECES[0];
      this.field = h("input", { type: "text", className: "live-field", value: "student", spellcheck: false,
        autocomplete: "off", oninput: () => { this.piece = null; this.update(); } });
      this.tokens = h("div", { className: "live-row", role: "group", "aria-label": say`Pieces of the word` });
      this.heading = h("p", { className: "live-label", "aria-live": "polite" });
      this.middle = h("span", { className: "neighbours-middle" });
      this.rows = DIRECTIONS.map(([x, y], n) => {
        const name = this.chooser("", () => this.found.nearest[n][0]);
        const value = h("span", {});
        const item = h("li", { style: `--x: ${x.toFixed(3)}; --y: ${y.toFixed(3)}` }, name, value);
        return { name, value, item };
      });
      const rings = RINGS.map((angle) => h("span", { className: "neighbours-ring", style: `--turn: ${angle / 90}` },
        h("span", {}, `${angle}°`)));
      stage.append(
        h("div", { className: "live-sentence" },
          h("label", { className: "live-label" }, say`A word, in English or Korean`, this.field), this.status),
        this.tokens,
        h("div", { className: "live-row", role: "group", "aria-label": say`Pieces of the chapter` },
          h("span", { className: "live-note" }, say`or one of`), ...PIECES.map((piece) => this.chooser(piece, () => {
            this.field.value = piece;
            return null; // draw() takes it from the field
          }))),
        this.shown = h("div", {}, this.heading, this.warning = h("p", { className: "live-note", role: "status" }),
          h("div", { className: "neighbours-field" },
            h("div", { "aria-hidden": "true" }, ...rings, this.middle),
            h("ol", { "aria-label": say`Neighbours and their cosines` }, ...this.rows.map(({ item }) => item))),
          this.about = h("p", { className: "live-note neighbours-about" })));
      this.offer([this.piece]);
      this.show(REST);
    }

    /** A button to look at a piece; null is that of the field. */
    chooser(name, piece) {
      return h("button", { type: "button", className: "live-button", onclick: () => {
        this.piece = piece();
        this.update();
      } }, name);
    }

    offer(pieces) {
      this.tokens.replaceChildren(h("span", { className: "live-note" }, say`its pieces`),
        ...pieces.map((piece) => this.chooser(piece, () => piece)));
    }

    show(found) {
      this.found = found;
      for (const button of this.tokens.querySelectorAll("button")) {
        button.setAttribute("aria-pressed", String(button.textContent === this.piece));
      }
      this.heading.textContent = say`Nearest to ${this.piece}`;
      this.middle.textContent = this.piece;
      this.rows.forEach(({ name, value, item }, n) => {
        const [piece, cosine] = found.nearest[n];
        name.textContent = piece;
        value.textContent = signed(cosine);
        item.style.setProperty("--turn", (Math.min(90, degrees(cosine)) / 90).toFixed(3));
      });
      this.warning.textContent = found.untrained
        ? say`This piece never or hardly ever occurs in the training data: its neighbours mean nothing.` : "";
      this.about.textContent = say`For comparison: the median cosine with the other
        ${found.others.toLocaleString("en")} rows is ${signed(found.middle)}.`;
    }

    *draw({ model, tokenizer }) {
      if (!this.piece) {
        this.offer([]);
        this.shown.hidden = true; // those of the piece before, if this is none
        const written = piecesOf(this.field.value.trim(), tokenizer);
        this.offer(written);
        this.piece = written.find((piece) => piece !== SPACE_MARK) ?? written[0];
      }
      this.directions ??= directions(model.output);
      const { pieces } = tokenizer;
      this.show(neighbours(this.directions, pieces.indexOf(this.piece), pieces));
      this.shown.hidden = false;
    }
  }

  /** The pieces of a word, each once, or the one that is written as it is, such as "▁student". */
  function piecesOf(text, tokenizer) {
    if (!text) throw new BadInput(say`Write a word, or choose one of the pieces.`);
    if (text.startsWith(SPACE_MARK) && tokenizer.ids.has(text)) return [text];
    const length = [...text].length;
    if (length > LONGEST) throw new BadInput(say`This text has ${length.toLocaleString("en")} characters: write one word.`);
    try {
      return [...new Set(tokenizer.encode(text).map((id) => tokenizer.pieces[id]))];
    } catch (error) {
      throw new BadInput(say`The tokenizer cannot keep this text: ${error.message}.`);
    }
  }

  customElements.define("live-neighbours", LiveNeighbours);
})();
