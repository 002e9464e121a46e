/**
 * Figure *The whole model*: two tokens' way through the shipped model, a step at a time, forwards and back.
 *
 * An English token is followed through the encoder, then a Korean one through the decoder: the one whose row
 * looks at the English token most (last layer, mean of the heads), until the reader chooses another. Forwards
 * one sees shapes and the numbers of the row. Backwards one sees how large the gradient of the loss of the
 * Korean token's row is at each place; these come from PyTorch and are stored for the first sentence alone,
 * since the page has no backward pass.
 */
"use strict";

(() => {
  const { BOS, EOS, LiveFigure, h, meanOfHeads, readingRemarks, remarks, say, sentenceField, sentenceIn, showDoubt, svg } = AnnotatedTransformer;
  const { GRADIENTS, REST, STEPS } = AnnotatedTransformer.journey;
  const SENTENCES = [REST.text, "The cat saw the dog",
    "The animal did not cross the street because it was too tired"];
  const [MEMORY, READS] = [11, 14]; // the steps that the arrow joins

  const fixed = (value) => value.toFixed(2).replace("-", "−").replace(/^−(0\.?0*)$/, "$1");
  const percent = (value) => say`${(100 * value).toFixed(2)} %`;
  const shape = (axes, sizes) => `(${axes.split(" ").map((axis) => sizes[axis] ?? axis).join(", ")})`;
  /** A small number in full, where JavaScript itself would write 8.6e-6. */
  const written = (value) => value.toLocaleString("en", { maximumSignificantDigits: 2 });
  const highest = (values) => values.indexOf(Math.max(...values));

  class LiveJourney extends LiveFigure {
    static wide = true;

    build(stage) {
      Object.assign(this, { read: REST, step: 0, i: 3, t: 1, chosen: false, backwards: false });
      const { field, element } = sentenceField(SENTENCES, () => this.update(), this.status);
      this.field = field;
      this.target = h("span", { lang: "ko" });
      const select = (changed) => h("select", { onchange: (event) => {
        changed(Number(event.target.value));
        this.update();
      } });
      this.tokens = select((i) => {
        this.i = i;
        // Backwards the loss stays the same, so that the tokens can be compared.
        if (!this.chosen && !this.backwards) this.t = this.read.readers[i];
      });
      this.rows = select((t) => Object.assign(this, { t, chosen: true }));
      this.boxes = STEPS.map((step, n) => h("button", {
        type: "button", className: "journey-box", onclick: () => this.go(n), onkeydown: (event) => this.walk(event),
      }, h("span", {}, `${n + 1} ${step.label}`), h("span", { className: "journey-shape" })));
      this.arrow = svg("path", {});
      this.plan = h("div", { className: "journey-plan", role: "group", "aria-label": say`The steps` },
        this.column(say`Encoder (English)`, 0, 2, 11, 12), this.column(say`Decoder (Korean)`, 12, 13, 16, 19),
        svg("svg", { "aria-hidden": "true" }, this.arrow));
      this.sizes = h("p", { className: "live-note journey-sizes" });
      this.ways = [false, true].map((backwards) => h("input", {
        type: "radio", name: "journey-way", onchange: () => { this.backwards = backwards; this.update(); },
      }));
      const names = [say`forwards: shapes`, say`backwards: size of the gradient (only for “${REST.text}”)`];
      const button = (name, by) => h("button", {
        type: "button", className: "live-button", onclick: () => this.go(this.step + by),
      }, name);
      this.ends = [button(say`← Back`, -1), button(say`Next →`, 1)];
      this.slider = h("input", {
        type: "range", min: 1, max: STEPS.length, oninput: () => this.go(Number(this.slider.value) - 1),
      });
      this.count = h("span", { "aria-hidden": "true" }); // the slider itself says it
      this.name = h("p", { className: "live-label journey-name" });
      this.words = h("p", { className: "journey-words" });
      this.code = h("p", { className: "live-note journey-code" });
      this.shown = h("div", { className: "journey-shown" });
      this.body = h("div", {},
        h("p", { className: "live-note" }, say`Translation `, this.target),
        h("div", { className: "live-row journey-choice" },
          h("label", {}, say`English token: `, this.tokens),
          h("label", {}, say`then the Korean token, and what it predicts: `, this.rows)),
        h("fieldset", { className: "journey-way" },
          h("legend", { className: "live-label" }, say`In the boxes`),
          ...this.ways.map((way, n) => h("label", {}, way, ` ${names[n]} `))),
        h("div", { className: "journey-sides" }, h("div", {}, this.plan),
          h("div", {}, h("div", { className: "live-row" }, ...this.ends),
            h("label", { className: "live-label" }, say`Step `, this.count, this.slider),
            h("div", { "aria-live": "polite" }, this.name, this.words), this.code, this.shown)),
        this.sizes);
      stage.append(element, this.body);
      this.redraw();
      new ResizeObserver(() => this.drawArrow()).observe(this.plan);
    }

    /** A column of the drawing: what comes before layer 1, the parts of layer 1, what comes after it. */
    column(name, start, layer, after, end) {
      return h("div", { className: "journey-column" }, h("p", { className: "live-label" }, name),
        ...this.boxes.slice(start, layer),
        h("div", { className: "journey-layer" }, h("p", { className: "live-note" }, say`layer 1`),
          ...this.boxes.slice(layer, after)),
        ...this.boxes.slice(after, end));
    }

    /** From the memory to the part that reads it. */
    drawArrow() {
      const corner = this.plan.getBoundingClientRect();
      const [from, to] = [MEMORY, READS].map((n) => this.boxes[n].getBoundingClientRect());
      const [x, X] = [from.right - corner.left, to.left - corner.left];
      const [y, Y] = [from, to].map((box) => (box.top + box.bottom) / 2 - corner.top);
      this.arrow.setAttribute("d", `M${x} ${y}H${(x + X) / 2}V${Y}H${X - 1}l-5 -4m5 4l-5 4`);
    }

    go(step) {
      if (!STEPS[step]) return;
      this.step = step;
      this.update();
    }

    /** Arrow keys walk through the drawing; only the present place stands in the order of tabs. */
    walk(event) {
      const last = STEPS.length - 1;
      const to = { ArrowUp: this.step - 1, ArrowLeft: this.step - 1, ArrowDown: this.step + 1,
        ArrowRight: this.step + 1, Home: 0, End: last }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      this.go(Math.min(Math.max(to, 0), last));
      this.boxes[this.step].focus();
    }

    /** Go to the place at once, also while the weights still load. */
    update() {
      this.redraw();
      return super.update();
    }

    *draw(translator) {
      try {
        const text = sentenceIn(this.field, translator);
        const other = this.read.text !== text;
        if (other || this.read === REST) this.read = yield* readSentence(translator, text);
        if (other) {
          this.i = Math.min(this.i, this.read.source.length - 1);
          Object.assign(this, { t: this.read.readers[this.i], chosen: false });
          if (text !== REST.text) this.backwards = false;
        }
        this.body.hidden = false;
      } catch (error) {
        this.body.hidden = true;
        throw error;
      }
      this.redraw();
      this.say([...readingRemarks(this.field, translator), ...this.read.remarks].join(" "));
    }

    redraw() {
      const { read, step, i, t } = this;
      const { sizes } = read;
      const now = STEPS[step];
      const rows = read.written.map((last, n) => `${last} → ${read.next[n]}`);
      const reader = read.readers[i];
      const of = { sizes, i, token: read.source[i], id: read.ids[i], here: read.written[t], next: read.next[t],
        other: reader === t ? null : rows[reader] };
      offer(this.tokens, read.source, i);
      offer(this.rows, rows, t);
      this.ways[Number(this.backwards)].checked = true;
      this.ways[1].disabled = read.text !== REST.text;
      this.target.textContent = read.target;
      showDoubt(this.target, read.remarks);
      const gradients = this.backwards ? [...GRADIENTS[t].encoder[i], ...GRADIENTS[t].decoder] : null;
      this.boxes.forEach((box, n) => {
        box.setAttribute("aria-current", n === step ? "step" : "false");
        box.tabIndex = n === step ? 0 : -1;
        const [, , axes] = STEPS[n].shows.at(-1);
        box.lastChild.textContent = gradients ? written(gradients[n]) : shape(axes, sizes);
      });
      this.sizes.textContent = gradients
        ? say`Loss: −ln of the probability of ${of.next} after ${of.here}. Its gradient comes from the last step back
          to the first, everywhere in the shape of what stands there. A box has its norm in the row that is
          followed (q, k, v: all three together). Change the row by a small step: the loss changes by at most
          about the norm times the length of the step.`
        : say`n = ${sizes.n} English tokens, m = ${sizes.m} Korean tokens, h = ${sizes.h} heads.
          minimal.py has one axis more in front, for the sentences of a batch.`;
      this.ends[0].setAttribute("aria-disabled", String(step === 0));
      this.ends[1].setAttribute("aria-disabled", String(step === STEPS.length - 1));
      this.slider.value = String(step + 1);
      this.slider.setAttribute("aria-valuetext", say`${step + 1} of ${STEPS.length}: ${now.name}`);
      this.count.textContent = say`${step + 1} of ${STEPS.length}`;
      tell(this.name, now.name);
      const back = gradients ? say` Backwards: the gradient here has norm ${written(gradients[step])}.` : "";
      tell(this.words, now.words(of) + back);
      this.code.replaceChildren(...(now.code ? [`minimal.py, ${now.where}: `, h("code", {}, now.code)]
        : [say`minimal.py ends with the scores.`]));
      this.shown.replaceChildren(...now.shows.flatMap((one) => numbers(one, now.part, this)));
    }
  }

  /** Let a select offer these names. */
  function offer(select, names, chosen) {
    if (String([...select.options].map(({ text }) => text)) !== String(names)) {
      select.replaceChildren(...names.map((name, value) => h("option", { value }, name)));
    }
    select.value = String(chosen);
  }

  /** Text that a screen reader says when it changes, and only then. */
  function tell(element, text) {
    if (element.textContent !== text) element.textContent = text;
  }

  const COLOURS = { [say`query`]: "query", [say`key`]: "key", [say`value`]: "value" };
  const TITLES = {
    row: (whose) => say`Row of ${whose}`,
    heads: (whose, what) => `${whose}: ${what}`,
    units: (whose) => say`${whose}: units`,
    scores: (whose) => say`Scores of ${whose}`,
    weights: (whose) => say`Weights of ${whose}`,
    logits: (whose) => say`The five highest scores after ${whose}`,
    shares: (whose) => say`The five most probable tokens after ${whose}`,
  };

  /** What a step shows of a tensor: its shape and, once the tensor is there, the row that is followed. */
  function numbers([form, name, axes, what], part, { read, i, t }) {
    const { sizes, source, written } = read;
    const [row, whose] = part === "encoder" ? [i, source[i]] : [t, written[t]];
    const title = h("p", { className: "live-label" }, say`${TITLES[form](whose, what)}, of `,
      h("span", { className: "journey-shape" }, `(${axes.replaceAll(" ", ", ")}) = ${shape(axes, sizes)}`));
    const tensor = read.seen.get(name);
    const values = tensor?.row(row);
    if (!values) return [title];
    if (axes.startsWith("h") && form !== "heads") {
      const [keys, own, past] = axes.endsWith("n") ? [source, i, Infinity] : [written, t, t];
      return [title, table(tensor, row, { form, keys, own, past })];
    }
    if (axes.endsWith("V")) return [title, five(values, read.pieces, form)];
    if (form !== "units") return [title, ...strip(values, COLOURS[what] ?? part, form === "heads" ? sizes.h : 1)];
    const units = values.map((value) => Math.max(0, value));
    const count = units.filter(Boolean).length;
    return [title, ...strip(units, part, 1,
      say`${count} of ${units.length} units ${count === 1 ? "is" : "are"} above 0; `)];
  }

  /** A row as bars, up for positive numbers; then its first numbers and its norm. */
  function strip(values, colour, parts, before = "") {
    const width = values.length;
    const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const bars = Array.from(values, (value, n) => `M${n + 0.5} 0V${(-value / (largest || 1)).toFixed(3)}`);
    const between = Array.from({ length: parts - 1 }, (_, n) => `M${(n + 1) * width / parts} -1V1`);
    return [
      svg("svg", { viewBox: `0 -1 ${width} 2`, preserveAspectRatio: "none", class: "journey-strip", role: "img",
        "aria-label": parts > 1 ? say`${width} numbers as bars, ${width / parts} for each head` : say`${width} numbers as bars` },
      svg("path", { d: `M0 0H${width}${between.join("")}`, class: "journey-axis" }),
      svg("path", { d: bars.join(""), class: `journey-bars journey-${colour}` })),
      h("p", { className: "live-note" }, say`${before}${Array.from(values.slice(0, 3), fixed).join(", ")} …;
        norm ${fixed(Math.hypot(...values))}; the longest bar is ${fixed(largest)}`),
    ];
  }

  const share = (value, text = fixed(value)) => h("td", { className: "attention-weight" },
    h("span", { className: "attention-bar", style: `width: ${100 * value}%` }), h("span", {}, text));

  /** Scores or weights of one query in all heads, a row for each key; keys after `past` are masked. */
  function table({ shape: [heads, queries], data }, row, { form, keys, own, past }) {
    const at = [...Array(heads).keys()];
    const cell = (value, j) => {
      if (j > past) return h("td", {}, say`masked`);
      return form === "weights" ? share(value) : h("td", {}, fixed(value));
    };
    return tabled([say`key`, ...at.map((n) => say`head ${n + 1}`)], keys.map((key, j) => [key, j === own,
      ...at.map((n) => cell(data[(n * queries + row) * keys.length + j], j))]));
  }

  /** The five tokens with the highest scores: these, or their probabilities. */
  function five(scores, pieces, form) {
    const order = [...scores.keys()].sort((a, b) => scores[b] - scores[a]).slice(0, 5);
    const sum = scores.reduce((total, score) => total + Math.exp(score - scores[order[0]]), 0);
    const probability = (id) => Math.exp(scores[id] - scores[order[0]]) / sum;
    return tabled([say`token`, form === "logits" ? say`score` : say`probability`], order.map((id, n) => [pieces(id), !n,
      form === "logits" ? h("td", {}, fixed(scores[id])) : share(probability(id), percent(probability(id)))]));
  }

  /** A table from rows [name, is it the one that is followed, ...cells]; a long one scrolls. */
  function tabled(head, rows) {
    const body = rows.map(([name, own, ...cells]) => h("tr", { className: own ? "journey-own" : "" },
      h("th", { scope: "row" }, name), ...cells));
    const found = h("table", { className: "attention-table" },
      h("thead", {}, h("tr", {}, ...head.map((text) => h("th", { scope: "col" }, text)))), h("tbody", {}, ...body));
    return h("div", rows.length > 12 ? {
      className: "journey-scroll", tabIndex: 0, role: "region", "aria-label": say`Scores of all tokens`,
    } : {}, found);
  }

  /** Translate a sentence greedily, run the model over both, and keep what its parts put out. */
  function* readSentence(translator, text) {
    const found = yield* translator.translate(text, { size: 1, alpha: 0 });
    const { tokenizer, model, config } = translator;
    const seen = new Map();
    const look = (name, tensor) => { seen.set(name, tensor); };
    const ids = translator.sourceIds(text);
    const prefix = [BOS, ...found.ids].slice(0, config.max_length);
    model.decode(prefix, model.encode(ids, look), look);
    const pieces = (id) => ({ [BOS]: "<bos>", [EOS]: "<eos>" })[id] ?? tokenizer.pieces[id];
    const across = meanOfHeads(seen.get(`decoder.layers.${config.n_layers - 1}.cross_attention.weights`));
    return {
      text, target: found.text, remarks: remarks(found, translator), seen, pieces, ids,
      source: ids.map(pieces), written: prefix.map(pieces),
      next: seen.get("output").rows().map((row) => pieces(highest(row))),
      readers: ids.map((_, i) => highest(across.map((row) => row[i]))),
      sizes: { n: ids.length, m: prefix.length, h: config.n_heads, V: config.vocab_size,
        d_model: config.d_model, d_ff: config.d_ff, d_k: config.d_k, d_v: config.d_v },
    };
  }

  customElements.define("live-journey", LiveJourney);
})();
