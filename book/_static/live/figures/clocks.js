/**
 * Figure *Clocks*: two rows of the sinusoidal table, and the hands that they set on eight clocks.
 *
 * The table is that of transformer.js. Angles and products are computed from the numbers of the two
 * rows, not from their distance: that the distance alone decides them is what there is to see.
 */
"use strict";

(() => {
  const { LiveFigure, h, hand, say, sayWith, sinusoids, svg, twoPlaces } = AnnotatedTransformer;
  const LAST = 60, WIDTH = 16, PAIRS = WIDTH / 2;
  const CELL = 15, GAP = 4, LINE = 5, LEFT = 24, TOP = 18; // of the table
  const columnAt = (n) => LEFT + CELL * n + GAP * Math.floor(n / 2);
  const rowAt = (position) => TOP + LINE * position;
  const signed = (number) => number.toFixed(2).replace("-", "\u2212");

  class LiveClocks extends LiveFigure {
    static model = null;

    build(stage) {
      this.table = sinusoids(LAST + 1, WIDTH);
      this.choice = twoPlaces([say`position p:`, say`position q:`], LAST, [12, 20], () => this.update());
      this.marks = svg("g", {});
      const drawn = svg("svg", { viewBox: "0 0 326 326", role: "img", "aria-label":
        say`${LAST + 1} rows of ${WIDTH} numbers. On the left they change fast down the rows, on the right hardly.` },
      ...tableOf(this.table), this.marks);
      this.clocks = Array.from({ length: PAIRS }, (_, i) => ({
        picture: svg("svg", { viewBox: "-37 -37 74 74", "aria-hidden": "true" }), numbers: h("span", {}),
        name: h("span", { className: "clocks-name" }, say`pair ${i}`),
      }));
      this.found = h("p", { "aria-live": "polite" });
      stage.append(this.choice.element, h("div", { className: "clocks-sides" },
        h("div", { className: "clocks-table" },
          h("p", { className: "live-label" }, say`The table: a row for each position`), drawn,
          h("p", { className: "live-note" }, say`Purple is near 1, orange near −1, blank near 0.
            Each pair is a sine and a cosine.`)),
        h("div", {},
          h("p", { className: "live-label" }, ...sayWith`The two rows as clocks:
            ${h("span", { className: "at-query" }, say`p has a full tip`)},
            ${h("span", { className: "at-key" }, say`q a hollow one`)}`),
          h("ul", { className: "clocks-faces" }, ...this.clocks.map(({ picture, name, numbers }) =>
            h("li", {}, picture, name, numbers))),
          this.found)));
      this.show();
    }

    *draw() {
      this.show();
    }

    show() {
      const { places } = this.choice;
      const rows = places.map((place) => this.table.row(place));
      let product = 0;
      this.clocks.forEach(({ picture, numbers }, i) => {
        const hands = rows.map((row) => [row[2 * i], row[2 * i + 1]]);
        const [[a, b], [c, d]] = hands;
        const cosine = a * c + b * d;
        const angle = (Math.atan2(Math.abs(a * d - b * c), cosine) * 180) / Math.PI;
        product += cosine;
        numbers.replaceChildren(`${angle.toFixed(angle < 9.95 ? 1 : 0)}°`, h("br"), say`cos ${signed(cosine)}`);
        picture.replaceChildren(svg("circle", { r: 30, class: "place-face" }),
          ...hands.flatMap(([sine, cosine], n) => hand(30 * sine, 30 * cosine, n)));
      });
      const apart = Math.abs(places[0] - places[1]);
      this.found.textContent = say`The rows are ${apart} position${apart === 1 ? "" : "s"} apart. The eight cosines
        add up to their inner product, ${signed(product)}; a row with itself has the inner product ${PAIRS}.`;
      this.marks.replaceChildren(...mark("p", places[0], 0), ...mark("q", places[1], 1));
    }
  }

  /** A cell for each number, in pairs, with the numbers of the pairs and of some positions. */
  function tableOf({ shape: [length, width], data }) {
    const cells = Array.from(data, (value, n) => svg("rect", {
      x: columnAt(n % width), y: rowAt(Math.floor(n / width)), width: CELL, height: LINE,
      class: value < 0 ? "clocks-below" : "clocks-above", "fill-opacity": Math.abs(value).toFixed(2),
    }));
    const pairs = Array.from({ length: width / 2 }, (_, i) => svg("text", {
      x: columnAt(2 * i) + CELL, y: TOP - 6 }, String(i)));
    const positions = [];
    for (let place = 0; place < length; place += 10) {
      positions.push(svg("text", { x: LEFT - 5, y: rowAt(place) + 7, class: "clocks-end" }, String(place)));
    }
    return [...cells, ...pairs, ...positions];
  }

  /** A frame around a row of the table, and its name: p to its right, q further out. */
  function mark(name, place, n) {
    const right = columnAt(WIDTH - 1) + CELL;
    const kind = ["place-first", "place-second"][n];
    const frame = { x: LEFT - 2, y: rowAt(place) - 1.5, width: right - LEFT + 4, height: LINE + 3, class: kind };
    return [svg("rect", frame),
      svg("text", { x: right + 9 + 11 * n, y: rowAt(place) + 6, class: `${kind}-name` }, name)];
  }

  customElements.define("live-clocks", LiveClocks);
})();
