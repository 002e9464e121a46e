/**
 * Figure *Clocks*: two positions of the sinusoidal table, and the hands that they set on eight clocks.
 *
 * One drags a position along the table, or both by the band between them.
 * The table is that of transformer.js. Angles and products are computed from the numbers of the two
 * rows, not from their distance: that the distance alone decides them is what there is to see.
 */
"use strict";

(() => {
  const { LiveFigure, dragPlaces, h, hand, say, sinusoids, svg, twoPlaces } = AnnotatedTransformer;
  const LAST = 60, WIDTH = 16, PAIRS = WIDTH / 2;
  const LINE = 10, GAP = 4, TOP = 24; // of the table, in pixels; across, a position has its share
  const SHARE = 100 / (LAST + 1);
  const lineOf = (n) => TOP + LINE * n + GAP * Math.floor(n / 2);
  const BOTTOM = lineOf(WIDTH - 1) + LINE;
  const signed = (number) => number.toFixed(2).replace("-", "\u2212");

  class LiveClocks extends LiveFigure {
    static model = null;
    static wide = true;

    build(stage) {
      this.table = sinusoids(LAST + 1, WIDTH);
      this.choice = twoPlaces([say`position p:`, say`position q:`], LAST, [12, 20], () => this.update());
      this.choice.element.classList.add("live-hidden");
      this.marks = svg("g", {});
      this.drawn = svg("svg", { role: "img", "aria-label":
        say`${LAST + 1} columns of ${WIDTH} numbers. Along the upper rows they change fast, along the lower ones hardly.` },
      ...tableOf(this.table), this.marks);
      dragPlaces(this.drawn, this.choice, LAST);
      this.clocks = Array.from({ length: PAIRS }, (_, i) => ({
        picture: svg("svg", { viewBox: "-37 -37 74 74", "aria-hidden": "true" }), numbers: h("span", {}),
        name: h("span", { className: "clocks-name" }, say`pair ${i}`),
      }));
      this.found = h("p", { className: "clocks-found", "aria-live": "polite" });
      stage.append(
        h("ul", { className: "clocks-faces" }, ...this.clocks.map(({ picture, name, numbers }) =>
          h("li", {}, picture, name, numbers))),
        h("div", { className: "clocks-table" }, this.drawn, this.choice.element), this.found);
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
      this.found.textContent = say`p and q are ${apart} position${apart === 1 ? "" : "s"} apart. The eight cosines
        add up to the inner product of their rows, ${signed(product)}; a row with itself has the inner product ${PAIRS}.`;
      const [from, to] = [Math.min(...places), Math.max(...places)];
      this.marks.replaceChildren(
        svg("rect", { x: `${SHARE * (from + 0.5)}%`, y: TOP - 5, width: `${SHARE * (to - from)}%`, height: 3,
          class: "clocks-between" }),
        ...mark("p", places[0], 0), ...mark("q", places[1], 1));
    }
  }

  /** A cell for each number, a column for each position; with the numbers of the pairs and of some positions. */
  function tableOf({ shape: [length, width], data }) {
    const cells = Array.from(data, (value, n) => svg("rect", {
      x: `${SHARE * Math.floor(n / width)}%`, y: lineOf(n % width), width: `${SHARE}%`, height: LINE,
      class: value < 0 ? "clocks-below" : "clocks-above", "fill-opacity": Math.abs(value).toFixed(2),
    }));
    const pairs = Array.from({ length: width / 2 }, (_, i) => svg("text", {
      x: -8, y: lineOf(2 * i) + LINE + 4, class: "clocks-end" }, say`pair ${i}`));
    const positions = [];
    for (let place = 0; place < length; place += 10) {
      positions.push(svg("text", { x: `${SHARE * (place + 0.5)}%`, y: BOTTOM + 15 }, String(place)));
    }
    return [...cells, ...pairs, ...positions];
  }

  /** A frame around a position of the table, and its name: p above, q below. */
  function mark(name, place, n) {
    const kind = ["place-first", "place-second"][n];
    return [
      svg("rect", { x: `${SHARE * place}%`, y: TOP - 2, width: `${SHARE}%`, height: BOTTOM - TOP + 4, class: kind }),
      svg("text", { x: `${SHARE * (place + 0.5)}%`, y: n ? BOTTOM + 32 : TOP - 9, class: `${kind}-name` },
        `${name} = ${place}`)];
  }

  customElements.define("live-clocks", LiveClocks);
})();
