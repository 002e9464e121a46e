/**
 * Figure *Rotary*: a query and a key of eight numbers on four dials, turned by their positions.
 *
 * Each pair of numbers is turned by position times its frequency, as `rotate` does (variants/rotary.py).
 * The score is computed from the turned vectors; that only the offset counts is what there is to see.
 */
"use strict";

(() => {
  const { LiveFigure, h, hand, say, sayWith, svg, twoPlaces } = AnnotatedTransformer;
  const LAST = 60, D_K = 8;
  /** The first pair is that of the dial before it in the chapter. */
  const FIRST = [[0.6, 0.8, -0.3, 0.9, 0.8, 0.4, 0.5, -0.7], [0.95, 0.2, 0.4, 0.7, 0.7, -0.5, 0.9, -0.3]];
  const UNIT = 36;
  const signed = (number, digits = 2) => number.toFixed(digits).replace("-", "\u2212").replace(/^\u2212(0\.0*)$/, "$1");

  /** The pairs [x, y] of a vector, each turned to the left by the place times its frequency. */
  function turned(vector, place) {
    return Array.from({ length: vector.length / 2 }, (_, i) => {
      const [x, y] = [vector[2 * i], vector[2 * i + 1]];
      const angle = place / 10_000 ** ((2 * i) / vector.length);
      return [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)];
    });
  }

  class LiveRotary extends LiveFigure {
    static model = null;
    static wide = true;

    build(stage) {
      this.vectors = FIRST;
      this.choice = twoPlaces([say`position of the query:`, say`position of the key:`], LAST, [5, 2], () => this.update());
      this.dials = Array.from({ length: D_K / 2 }, (_, i) => ({
        picture: svg("svg", { viewBox: "-48 -48 96 96", "aria-hidden": "true" }), angle: h("span", { className: "rotary-angle" }), product: h("span", {}),
        speed: h("span", { className: "rotary-speed" }, say`turns ${perStep(i)} a position`),
      }));
      this.found = h("p", { "aria-live": "polite" });
      const button = (name, vectors) => h("button", { type: "button", className: "live-button", onclick: () => {
        this.vectors = vectors();
        this.update();
      } }, name);
      stage.append(this.choice.element,
        h("p", { className: "live-label" },
          ...sayWith`${h("span", { className: "at-query" }, say`The query has a full tip`)},
            ${h("span", { className: "at-key" }, say`the key a hollow one`)}; faint: before the turn`),
        h("ul", { className: "rotary-dials" }, ...this.dials.map(({ picture, speed, angle, product }) =>
          h("li", {}, picture, angle, speed, product))),
        this.found,
        h("div", { className: "live-row" }, button(say`Draw another query and key`, another),
          button(say`Back to the first query and key`, () => FIRST)));
      this.show();
    }

    *draw() {
      this.show();
    }

    show() {
      const { places } = this.choice;
      const still = this.vectors.map((vector) => turned(vector, 0));
      const moved = this.vectors.map((vector, n) => turned(vector, places[n]));
      const products = this.dials.map((_, i) => moved[0][i][0] * moved[1][i][0] + moved[0][i][1] * moved[1][i][1]);
      this.dials.forEach(({ picture, angle, product }, i) => {
        const lengths = moved.map((vector) => Math.hypot(...vector[i]));
        const cosine = Math.max(-1, Math.min(1, products[i] / (lengths[0] * lengths[1])));
        angle.textContent = say`${Math.round((180 / Math.PI) * Math.acos(cosine))}° apart`;
        product.textContent = say`product ${signed(products[i])}`;
        const hands = (vectors, state) => vectors.flatMap((vector, n) =>
          hand(...vector[i].map((number) => UNIT * number), n, state));
        picture.replaceChildren(svg("circle", { r: UNIT, class: "place-face" }),
          ...hands(still, "rotary-still"), ...hands(moved));
      });
      const sum = products.reduce((total, product) => total + product, 0);
      this.found.textContent = say`Query minus key is ${signed(places[0] - places[1], 0)}: the four products add up to
        ${signed(sum)}; divided by √8, the score is ${signed(sum / Math.sqrt(D_K))}.`;
    }
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
