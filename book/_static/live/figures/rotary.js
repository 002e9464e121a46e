/**
 * Figure *Rotary*: a query and a key of eight numbers on four dials, turned by their positions.
 *
 * One drags a position along the line, or both by the band between them. Each pair of numbers is turned by
 * position times its frequency, as `rotate` does (variants/rotary.py). The curve has the score for each
 * position of the key. All scores are computed from the turned vectors; that only the offset counts, so
 * that the curve travels with the query and keeps its form, is what there is to see.
 */
"use strict";

(() => {
  const { LiveFigure, dragPlaces, h, hand, once, say, svg, twoPlaces } = AnnotatedTransformer;
  const LAST = 60, D_K = 8;
  /** The first pair is that of the dial before it in the chapter. */
  const FIRST = [[0.6, 0.8, -0.3, 0.9, 0.8, 0.4, 0.5, -0.7], [0.95, 0.2, 0.4, 0.7, 0.7, -0.5, 0.9, -0.3]];
  const UNIT = 36, ARC = 15;
  const ZERO = 76, HEIGHT = 36; // of the curve, in pixels: where it is 0, and how far up it is 1
  const TICKS = 148, BELOW = 168; // where the numbers of the positions stand, and the key's name
  const STEP = 150; // milliseconds a position, where both travel by themselves
  const SHARE = 100 / (LAST + 1); // of a position, in percent of the line
  const signed = (number, digits = 2) => number.toFixed(digits).replace("-", "\u2212").replace(/^\u2212(0\.0*)$/, "$1");

  /** The pairs [x, y] of a vector, each turned to the left by the place times its frequency. */
  function turned(vector, place) {
    return Array.from({ length: vector.length / 2 }, (_, i) => {
      const [x, y] = [vector[2 * i], vector[2 * i + 1]];
      const angle = place / 10_000 ** ((2 * i) / vector.length);
      return [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)];
    });
  }

  const productsOf = (query, key) => query.map(([x, y], i) => x * key[i][0] + y * key[i][1]);
  const total = (numbers) => numbers.reduce((sum, number) => sum + number, 0);

  class LiveRotary extends LiveFigure {
    static model = null;
    static wide = true;

    build(stage) {
      this.vectors = FIRST;
      this.choice = twoPlaces([say`position of the query:`, say`position of the key:`], LAST, [30, 12], () => this.update());
      this.choice.element.classList.add("live-hidden");
      this.dials = Array.from({ length: D_K / 2 }, (_, i) => ({
        picture: svg("svg", { viewBox: "-48 -48 96 96", "aria-hidden": "true" }),
        angle: h("span", { className: "rotary-angle" }), product: h("span", { className: "rotary-product" }),
        speed: h("span", { className: "rotary-speed" }, say`turns ${perStep(i)} a position`),
      }));
      this.found = h("p", { className: "rotary-found", "aria-live": "polite" });
      this.sum = h("span", { className: "rotary-sum" });
      this.score = h("span", { className: "rotary-angle" });
      this.marks = svg("g", {});
      this.line = svg("svg", { role: "img", "aria-label": say`The score for each position of the key, as a curve; the query and the key on it.` },
        ...ticks(), this.marks);
      dragPlaces(this.line, this.choice, LAST);
      const button = (name, vectors) => h("button", { type: "button", className: "live-button", onclick: () => {
        this.vectors = vectors();
        this.update();
      } }, name);
      stage.append(this.found,
        h("ul", { className: "rotary-dials" }, ...this.dials.map(({ picture, speed, angle, product }) =>
          h("li", {}, picture, h("span", { className: "live-hidden" }, say`product `), product, angle, speed)),
        h("li", {}, this.sum, this.score, h("span", { className: "rotary-speed" }, say`the score`))),
        h("div", { className: "rotary-line" }, this.line, this.choice.element),
        h("div", { className: "live-row live-only" }, button(say`Draw another query and key`, another),
          button(say`Back to the first query and key`, () => FIRST)));
      this.show();
      once(this, this.line, () => this.travel());
    }

    /** Both positions go together, from where one of them is 0 to where they stand. */
    travel() {
      const { places, move } = this.choice;
      let left = Math.min(...places);
      move(places.map((place) => place - left));
      const timer = setInterval(() => {
        if (this.touched || !left--) clearInterval(timer);
        else move(places.map((place) => place + 1));
      }, STEP);
    }

    *draw() {
      this.show();
    }

    show() {
      const { choice: { places }, vectors: [query, key] } = this;
      const still = [turned(query, 0), turned(key, 0)];
      const moved = [turned(query, places[0]), turned(key, places[1])];
      const products = productsOf(...moved);
      this.dials.forEach(({ picture, angle, product }, i) => {
        const [a, b] = moved.map((vector) => Math.atan2(vector[i][1], vector[i][0]));
        const apart = Math.abs(Math.atan2(Math.sin(a - b), Math.cos(a - b)));
        angle.textContent = say`${Math.round((180 / Math.PI) * apart)}° apart`;
        product.textContent = i ? signed(products[i]).replace(/^\u2212?/, (sign) => `${sign || "+"} `) : signed(products[i]);
        const hands = (vectors, state) => vectors.flatMap((vector, n) =>
          hand(...vector[i].map((number) => UNIT * number), n, state));
        picture.replaceChildren(svg("circle", { r: UNIT, class: "place-face" }), svg("path", { d: arc(a, b), class: "rotary-arc" }),
          ...hands(still, "rotary-still"), ...hands(moved));
      });
      const sum = total(products);
      const score = signed(sum / Math.sqrt(D_K));
      this.sum.textContent = `= ${signed(sum)}`;
      this.score.textContent = `÷ √8 = ${score}`;
      this.found.textContent = say`Query minus key is ${signed(places[0] - places[1], 0)}: the score is ${score}, wherever they stand.`;
      const scores = Array.from({ length: LAST + 1 }, (_, place) =>
        total(productsOf(moved[0], turned(key, place))) / Math.sqrt(D_K));
      const [from, to] = [Math.min(...places), Math.max(...places)];
      this.marks.replaceChildren(
        svg("rect", { x: `${SHARE * (from + 0.5)}%`, y: ZERO - 5, width: `${SHARE * (to - from)}%`, height: 10, class: "rotary-between" }),
        svg("svg", { viewBox: `0 0 ${LAST + 1} 100`, width: "100%", height: 100, overflow: "visible", preserveAspectRatio: "none" },
          svg("path", { class: "rotary-curve", d: `M${scores.map((one, place) => `${place + 0.5} ${yOf(one).toFixed(2)}`).join("L")}` })),
        ...mark(say`query ${places[0]}`, places[0], ZERO, 0), ...mark(say`key ${places[1]}`, places[1], yOf(scores[places[1]]), 1));
    }
  }

  const yOf = (score) => ZERO - HEIGHT * score;

  /** The arc between two directions, the short way. */
  function arc(a, b) {
    const at = (angle) => `${ARC * Math.cos(angle)} ${-ARC * Math.sin(angle)}`;
    return `M${at(b)}A${ARC} ${ARC} 0 0 ${Number(Math.sin(a - b) < 0)} ${at(a)}`;
  }

  /** The line on which the score is 0, what the curve is, and the numbers of some positions. */
  function ticks() {
    const positions = [];
    for (let place = 0; place <= LAST; place += 10) {
      positions.push(svg("text", { x: `${SHARE * (place + 0.5)}%`, y: TICKS }, String(place)));
    }
    return [svg("line", { x1: 0, x2: "100%", y1: ZERO, y2: ZERO, class: "rotary-zero" }), ...positions];
  }

  /** A place on the line: its name, the query's above and the key's below, a stem, and the tip of its hand at y. */
  function mark(name, place, y, n) {
    const x = `${SHARE * (place + 0.5)}%`;
    const kind = ["place-first", "place-second"][n];
    return [
      svg("line", { x1: x, x2: x, y1: n ? BELOW - 36 : 18, y2: y, class: kind }),
      svg("circle", { cx: x, cy: y, r: n ? 5.5 : 7, class: `${kind}-tip` }),
      svg("text", { x, y: n ? BELOW : 12, class: `${kind}-name` }, name)];
  }

  /** How far pair i turns in one step. */
  function perStep(i) {
    const degrees = (180 / Math.PI) / 10_000 ** ((2 * i) / D_K);
    return `${degrees.toFixed(degrees < 1 ? 2 : degrees < 10 ? 1 : 0)}°`;
  }

  /** A query and a key of random pairs between 0.4 and 1.1 long, so that they fit the dials. */
  function another() {
    const pair = () => {
      const [length, angle] = [0.4 + 0.7 * Math.random(), 2 * Math.PI * Math.random()];
      return [length * Math.cos(angle), length * Math.sin(angle)];
    };
    return FIRST.map((vector) => Array.from({ length: vector.length / 2 }, pair).flat());
  }

  customElements.define("live-rotary", LiveRotary);
})();
