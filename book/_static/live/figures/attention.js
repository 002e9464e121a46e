/**
 * Figure *Attention*: one query's way from products to its output, in the example by hand and in a trained head.
 *
 * Both are drawn by the same table, and one of them is seen at a time. `sharpness` multiplies every score, as in the chapter; a temperature
 * would divide it, so it is one over the sharpness. Both words are explained beside the slider.
 */
"use strict";

(() => {
  const { BOS, EOS, LiveFigure, h, readingRemarks, remarks, say, sentenceField, sentenceIn, showDoubt, slider, svg } = AnnotatedTransformer;
  const SENTENCES = ["I am a student", "The cat saw the dog", "Anna bought three books and two apples"];
  const STEPS = [
    [say`1 Products`, say`Product: the query times each key, number by number, added up.`],
    [say`2 Scores`, say`Score: the product divided by √dₖ (√4 = 2 by hand, √32 ≈ 5.66 in the trained head),
      times the sharpness.`],
    [say`3 Weights`, say`Weight: e to each score, divided by the sum of these. The weights add up to 1.`],
    [say`4 Output`, say`Output: the values, blended in these shares.`],
  ];
  /** The chapter's example: keys are (noun, particle, verb, first person); the query is (noun, 0, 0, first person). */
  const BY_HAND = [
    { name: "나", key: [1, 0, 0, 1], value: [0, 4] },
    { name: "는", key: [0, 1, 0, 0], value: [0, 0] },
    { name: "학생", key: [1, 0, 0, 0], value: [4, 0] },
    { name: "이다", key: [0, 0, 1, 0], value: [4, 4] },
  ];
  const ASKING = { [say`이다 asks`]: [2, 2], [say`는 asks`]: [2, 0] };
  const ATTENTIONS = {
    "encoder.layers.0.self_attention": say`English reads English, layer 1`,
    "encoder.layers.1.self_attention": say`English reads English, layer 2`,
    "decoder.layers.0.self_attention": say`Korean reads Korean, layer 1`,
    "decoder.layers.0.cross_attention": say`Korean reads English, layer 1`,
    "decoder.layers.1.self_attention": say`Korean reads Korean, layer 2`,
    "decoder.layers.1.cross_attention": say`Korean reads English, layer 2`,
  };
  /** Head 3 of the last layer's Korean, asked by 이다, before the model is there (tests/live/test_attention.py). */
  const REST = [
    { name: "<bos>", product: -7.4262, value: [1.3879, 0.2134, 0] },
    { name: "▁나는", product: 27.0185, value: [0.1918, 0.5608, 0] },
    { name: "▁학생", product: -18.0659, value: [-0.2086, -0.9347, 0] },
    { name: "이다", product: -19.3383, value: [0.0397, 1.385, 0] },
  ];

  const dot = (a, b) => a.reduce((sum, value, n) => sum + value * b[n], 0);
  const fixed = (value, digits = 2) => value.toFixed(digits).replace("-", "−").replace(/^−(0\.?0*)$/, "$1");
  const pair = (vector) => `(${vector.slice(0, 2).map((x) => fixed(x)).join(", ")}${vector.length > 2 ? " …" : ""})`;

  /** e to a score in few characters: 7.39, 1234 or 5·10⁸. */
  function power(value) {
    if (value === 0) return "0";
    if (value < 1e6) return value < 100 ? fixed(value) : fixed(value, 0);
    const [digit, exponent] = value.toExponential(0).split("e+");
    return `${digit}·10${[...exponent].map((d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[d]).join("")}`;
  }

  /** Equation 1 for one query; rows have {name, product, value, hidden}. */
  function lookUp(rows, dK, sharpness) {
    const found = rows.map((row) => {
      const score = sharpness * row.product / Math.sqrt(dK);
      return { ...row, score, power: row.hidden ? 0 : Math.exp(score) };
    });
    const sum = found.reduce((total, row) => total + row.power, 0);
    found.forEach((row) => { row.weight = row.power / sum; });
    const output = rows[0].value.map((_, n) => dot(found.map((row) => row.weight), rows.map((row) => row.value[n])));
    return { rows: found, sum, output };
  }

  /** The columns up to a step, one row for each key. */
  function table({ rows, sum, output }, step, caption) {
    const upTo = (...cells) => cells.filter((_, n) => [0, 0, 1, 2, 2, 3][n] < step);
    const head = upTo(say`key`, say`product`, say`score`, say`e to the score`, say`weight`, say`value`);
    const kinds = ["at-key", "", "", "attention-power", "", "at-value"];
    const number = (text) => h("td", {}, text);
    const exponential = (value) => h("td", { className: "attention-power" }, power(value));
    const weight = (share) => h("td", { className: "attention-weight" },
      h("span", { className: "attention-bar", style: `width: ${100 * share}%` }), h("span", {}, fixed(share)));
    const body = rows.map((row) => h("tr", {}, ...upTo(
      h("th", { scope: "row", className: "at-key" }, row.name),
      ...(row.hidden
        ? [number(say`later: hidden`), number("−∞"), exponential(0), weight(0)]
        : [number(fixed(row.product)), number(fixed(row.score)), exponential(row.power), weight(row.weight)]),
      h("td", { className: "at-value" }, pair(row.value)))));
    const foot = h("tr", {}, ...upTo(h("th", { scope: "row" }, step < 4 ? say`sum` : say`sum, output`),
      number(""), number(""), exponential(sum), number("1"), h("td", { className: "attention-output" }, pair(output))));
    return h("table", { className: `attention-table${step === 4 ? " attention-whole" : ""}` },
      h("caption", { className: "live-hidden" }, caption),
      h("thead", {}, h("tr", {}, ...head.map((text, n) =>
        h("th", { scope: "col", className: kinds[n] }, text)))),
      // The sum has its row from the beginning, and no step moves the buttons of the steps.
      h("tbody", {}, ...body), h("tfoot", { className: step > 2 ? "" : "attention-later" }, foot));
  }

  class LiveAttention extends LiveFigure {
    static wide = true;

    build(stage) {
      this.step = STEPS.length;
      this.steps = STEPS.map(([name], n) => h("button", {
        type: "button", className: "live-button", onclick: () => { this.step = n + 1; this.redraw(); },
      }, name));
      this.about = h("p", { className: "attention-about", "aria-live": "polite" });
      this.sharpness = slider(say`Sharpness`, { min: 0, max: 4, step: 0.25, value: 1 }, () => this.redraw());
      this.parts = [this.buildByHand(), this.buildTrained()];
      this.choices = [say`By hand`, say`In the trained model`].map((name, n) => h("button", {
        type: "button", className: "live-button", onclick: () => this.choose(n),
      }, name));
      stage.append(
        h("div", { className: "live-row", role: "group", "aria-label": say`Example` }, ...this.choices),
        ...this.parts, this.about,
        h("div", { className: "live-row attention-bar-of-steps" },
          h("div", { className: "live-row", role: "group", "aria-label": say`Step` }, ...this.steps),
          this.sharpness.element));
      this.choose(0);
    }

    /** Show the example by hand, 0, or the trained head, 1. */
    choose(chosen) {
      this.trains = chosen === 1;
      this.parts.forEach((part, n) => { part.hidden = n !== chosen; });
      this.choices.forEach((button, n) => button.setAttribute("aria-pressed", String(n === chosen)));
      this.redraw();
      if (this.trains) this.update();
    }

    /** Only the trained head needs the weights. */
    async update() {
      if (this.trains) await super.update();
    }

    // --- the example by hand

    buildByHand() {
      const range = { min: -1, max: 3, step: 0.25, value: 2 };
      this.query = [say`Query: noun`, say`Query: first person`].map((name) =>
        slider(name, range, () => this.redraw()));
      const ask = ([name, numbers]) => h("button", {
        type: "button", className: "live-button", onclick: () => this.ask(numbers),
      }, name);
      this.plane = svg("svg", { viewBox: "0 0 200 200", class: "attention-plane", "aria-hidden": "true" });
      this.square = svg("svg", { viewBox: "0 0 200 200", "aria-hidden": "true" });
      const follow = (event) => {
        const box = this.plane.getBoundingClientRect();
        const [x, y] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
        this.ask([(200 * x - 55) / 40, (145 - 200 * y) / 40]);
      };
      this.plane.addEventListener("pointerdown", (event) => {
        this.plane.setPointerCapture(event.pointerId);
        follow(event);
      });
      this.plane.addEventListener("pointermove", (event) => {
        if (this.plane.hasPointerCapture(event.pointerId)) follow(event);
      });
      this.handTable = h("div", {});
      const title = (text) => h("p", { className: "live-label" }, text);
      return h("section", { className: "attention-sides", "aria-label": say`The example by hand` },
        h("div", { className: "attention-asks" }, title(say`Drag the query`), this.plane,
          h("div", { className: "live-hidden" }, ...this.query.map(({ element }) => element)),
          h("div", { className: "live-row" }, ...Object.entries(ASKING).map(ask))),
        this.handTable,
        h("div", {}, title(say`Values, sized by weight`), this.square));
    }

    /** Put the query at a place, in steps of a quarter. */
    ask(numbers) {
      numbers.forEach((number, n) => { this.query[n].input.value = Math.round(4 * number) / 4; });
      this.redraw();
    }

    drawByHand() {
      const [noun, person] = this.query.map(({ input }) => Number(input.value));
      const query = [noun, 0, 0, person];
      const rows = BY_HAND.map((row) => ({ ...row, product: dot(query, row.key) }));
      const found = lookUp(rows, 4, Number(this.sharpness.input.value));
      const shown = query.map((x) => fixed(x, x % 1 ? 2 : 0)).join(", ");
      this.handTable.replaceChildren(
        h("p", { className: "live-label" }, h("span", { className: "at-query" }, say`query (${shown})`),
          say`: noun, particle, verb, first person`),
        table(found, this.step, say`The example by hand`));
      this.drawPlane(noun, person);
      this.drawSquare(found);
    }

    /** The plane of queries in which only "noun" and "first person" are not 0, with the keys in it. */
    drawPlane(noun, person) {
      const [x, y] = [(value) => 55 + 40 * value, (value) => 145 - 40 * value];
      const text = (left, top, words, kind = "") => svg("text", { x: left, y: top, class: kind }, words);
      const keys = [[1, 1, "나"], [1, 0, "학생"], [0, 0, "는, 이다"]];
      const dots = keys.map(([a, b]) => svg("circle", { cx: x(a), cy: y(b), r: 5, class: "attention-key" }));
      const names = keys.map(([a, b, words]) => text(x(a) + (a ? 6 : -6), y(b) + 18, words, `at-key ${a ? "" : "attention-left"}`));
      this.plane.replaceChildren(
        svg("line", { x1: 8, x2: 192, y1: y(0), y2: y(0), class: "attention-axis" }),
        svg("line", { x1: x(0), x2: x(0), y1: 18, y2: 192, class: "attention-axis" }), ...dots,
        svg("line", { x1: x(0), y1: y(0), x2: x(noun), y2: y(person), class: "attention-query" }),
        text(160, y(0) + 18, say`noun`), text(4, 12, say`1st person`), ...names, // over the lines, which they interrupt
        svg("circle", { cx: x(noun), cy: y(person), r: 11, class: "attention-handle" }),
        text(Math.min(x(noun) + 14, 160), Math.max(y(person) - 8, 12), say`query`, "at-query"));
    }

    drawSquare({ rows, output }) {
      const [x, y] = [(value) => 40 + 30 * value, (value) => 160 - 30 * value];
      const discs = this.step > 2 ? rows.map(({ value: [a, b], weight }) => svg("circle", {
        cx: x(a), cy: y(b), r: 30 * Math.sqrt(weight), class: "attention-disc" })) : [];
      // No line runs through a word: the names stand outside of the corners, the output's inside, towards the middle.
      const names = rows.map(({ name, value: [a, b] }) => svg("text", {
        x: x(a) + (a ? 6 : -6), y: y(b) + (b ? -6 : 16), class: `at-value ${a ? "" : "attention-left"}` }, name));
      const [right, high] = output.map((value) => value > 2);
      const ring = this.step > 3
        ? [svg("circle", { cx: x(output[0]), cy: y(output[1]), r: 6, class: "attention-ring" }),
          svg("text", { x: x(output[0]) + (right ? -9 : 9), y: y(output[1]) + (high ? 18 : -9), class: right ? "attention-left" : "" },
            say`output`)] : [];
      this.square.replaceChildren(
        svg("rect", { x: x(0), y: y(4), width: 120, height: 120, class: "attention-axis" }),
        ...discs, ...names, ...ring);
    }

    // --- a trained head

    buildTrained() {
      const options = Object.entries(ATTENTIONS).map(([value, name]) => h("option", { value }, name));
      this.attention = h("select", { onchange: () => this.redraw() }, ...options);
      this.attention.value = "decoder.layers.1.self_attention";
      const heads = [1, 2, 3, 4].map((n) => h("option", { value: n - 1 }, say`head ${n}`));
      this.head = h("select", { onchange: () => this.redraw() }, ...heads);
      this.head.value = 2;
      const { field, element } = sentenceField(SENTENCES, () => this.update(), this.status);
      this.field = field;
      this.target = h("p", { lang: "ko", className: "attention-target", "aria-live": "polite" }, "나는 학생이다");
      [this.tokens, this.trainedTable] = [h("fieldset", { className: "attention-tokens" }), h("div", {})];
      this.chooseToken(REST.map(({ name }) => name), 3);
      this.trained = h("div", {}, this.target,
        h("div", { className: "live-row attention-choice" },
          h("label", {}, say`Attention `, this.attention), h("label", {}, say`Head `, this.head)),
        this.tokens, this.trainedTable);
      return h("section", { "aria-label": say`A trained head` }, element, this.trained);
    }

    /** Offer the tokens that may ask, and keep the place of the last choice where there is one. */
    chooseToken(tokens, place) {
      this.asked = Math.min(place, tokens.length - 1);
      const radios = tokens.map((token, i) => h("label", { className: "attention-token" }, h("input", {
        type: "radio", name: "attention-token", checked: i === this.asked,
        onchange: () => { this.asked = i; this.redraw(); },
      }), ` ${token}`));
      this.tokens.replaceChildren(h("legend", { className: "live-label" }, say`The query is that of`), ...radios);
      this.offered = tokens;
    }

    *draw(translator) {
      // Hidden only for a sentence that cannot be read: somebody may stand on one of its controls.
      try {
        const text = sentenceIn(this.field, translator);
        if (this.read?.text !== text) this.read = yield* readSentence(translator, text);
      } catch (error) {
        this.trained.hidden = true;
        throw error;
      }
      this.trained.hidden = false;
      this.target.textContent = this.read.target;
      showDoubt(this.target, this.read.remarks);
      this.redraw();
      this.say([...readingRemarks(this.field, translator), ...this.read.remarks].join(" "));
    }

    drawTrained() {
      const { dK, asker, rows } = this.read
        ? this.fromModel() : { dK: 32, asker: "이다", rows: REST };
      const found = lookUp(rows, dK, Number(this.sharpness.input.value));
      this.trainedTable.replaceChildren(
        h("p", { className: "live-note" }, h("span", { className: "at-query" }, say`query of ${asker}`),
          say`: ${dK} numbers; of each value and of the output the first two are shown`),
        table(found, this.step, say`The trained head`));
    }

    fromModel() {
      const name = this.attention.value;
      const { seen, source, written, width: dK } = this.read;
      const [encoder, cross] = [name.startsWith("encoder"), name.includes("cross")];
      const asking = encoder ? source : written;
      const asked = encoder || cross ? source : written;
      if (String(this.offered) !== String(asking)) this.chooseToken(asking, this.asked);
      const start = dK * this.head.value;
      const part = (kind, i) => [...seen.get(`${name}.${kind}`).row(i).slice(start, start + dK)];
      const query = part("q", this.asked);
      const rows = asked.map((token, j) => ({
        name: token, product: dot(query, part("k", j)), value: part("v", j),
        hidden: !encoder && !cross && j > this.asked }));
      return { dK, asker: asking[this.asked], rows };
    }

    redraw() {
      this.steps.forEach((button, n) => button.setAttribute("aria-pressed", String(n + 1 === this.step)));
      this.about.textContent = STEPS[this.step - 1][1];
      const sharpness = Number(this.sharpness.input.value);
      const settings = say`${fixed(sharpness)} × score = score ÷ temperature ${fixed(1 / sharpness)}`;
      this.sharpness.tell(sharpness === 0 ? say`0: all weights are equal`
        : sharpness === 1 ? say`${fixed(sharpness)}: the formula as it stands` : settings);
      this.query.forEach(({ input, tell }) => tell(fixed(Number(input.value))));
      this.drawByHand();
      this.drawTrained();
    }
  }

  /** Translate a sentence, and keep the queries, keys and values of all heads. */
  function* readSentence(translator, text) {
    const found = yield* translator.translate(text, { size: 1, alpha: 0 });
    const seen = new Map();
    const look = (name, tensor) => { if (/\.[qkv]$/.test(name)) seen.set(name, tensor); };
    const { tokenizer, model, config } = translator;
    const names = (ids) => ids.map((id) => ({ [BOS]: "<bos>", [EOS]: "<eos>" })[id] ?? tokenizer.pieces[id]);
    const source = translator.sourceIds(text);
    const written = [BOS, ...found.ids].slice(0, config.max_length);
    model.decode(written, model.encode(source, look), look);
    return {
      text, seen, target: found.text, width: config.d_model / config.n_heads,
      source: names(source), written: names(written), remarks: remarks(found, translator),
    };
  }

  customElements.define("live-attention", LiveAttention);
})();
