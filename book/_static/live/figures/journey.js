/**
 * Figure *The whole model*: two tokens' way through the shipped model, a step at a time, forwards and back.
 *
 * An English token is followed through the encoder, then a Korean one through the decoder: the one whose row
 * looks at the English token most (last layer, mean of the heads), until the reader chooses another. It is drawn as
 * the map is (journey/paint.js): depth to the right, a row for each token. Forwards one sees shapes and the numbers of
 * the row. Backwards one sees how large the gradient of the loss of the Korean token's row is at each place; these
 * come from PyTorch and are stored for the first sentence alone, since the page has no backward pass.
 */
"use strict";

(() => {
  const { BOS, EOS, LiveFigure, bestTokens, h, map: M, meanOfHeads, player, readingRemarks, remarks, say, sentenceIn, showDoubt, svg,
    twoSentences } = AnnotatedTransformer;
  const { GRADIENTS, PITCH, REST, STEPS, numbers, paint, shape, trace } = AnnotatedTransformer.journey;
  const SENTENCES = [REST.text, "The cat saw the dog",
    "The animal did not cross the street because it was too tired"];
  const FIRST = 12; // the first step of the decoder
  const [MEMORY, ...READS] = [11, 14, 16]; // the step that makes the memory, and those that read it
  const LAYER = { 2: 10, 13: 15 }; // the first and the last step inside of a layer
  const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const LEVELS = 31; // as book/_tools/live_trace.py writes them

  /** A small number in full, where JavaScript itself would write 8.6e-6. */
  const written = (value) => value.toLocaleString("en", { maximumSignificantDigits: 2 });
  const highest = (values) => values.indexOf(Math.max(...values));

  class LiveJourney extends LiveFigure {
    static wide = true;

    build(stage) {
      Object.assign(REST, stored(trace));
      Object.assign(this, { read: REST, step: 0, i: 3, t: 1, chosen: false, backwards: false });
      const { field, output, hint, element, tries } = twoSentences(SENTENCES, () => this.update(), this.status);
      Object.assign(this, { field, target: output });
      hint.textContent = say`Choose a token to follow it, and a step to see its numbers.`;
      this.boxes = STEPS.map((step, n) => this.box(step, n));
      this.lanes = [say`Encoder (English)`, say`Decoder (Korean)`].map((name, n) => this.lane(name, n));
      this.arrow = svg("g", {});
      this.again = h("div", { "aria-hidden": "true" });
      this.plan = h("div", { className: "journey-plan" }, ...this.lanes.map(({ element: lane }) => lane), this.again,
        svg("svg", { "aria-hidden": "true" }, this.arrow));
      this.ways = [false, true].map((backwards) => h("input", {
        type: "radio", name: "journey-way", onchange: () => { this.backwards = backwards; this.update(); },
      }));
      const names = [say`forwards: shapes`, say`backwards: size of the gradient (only for “${REST.text}”)`];
      this.player = player(say`Step`, { min: 1, max: STEPS.length, value: 1 }, () => this.go(Number(this.player.input.value) - 1));
      this.name = h("p", { className: "journey-name" });
      this.words = h("p", { className: "journey-words" });
      this.code = h("p", { className: "live-note journey-code" });
      this.shown = h("div", { className: "journey-shown" });
      this.sizes = h("p", { className: "live-note journey-sizes" });
      this.body = h("div", {}, this.plan, this.player.element,
        h("fieldset", { className: "journey-way" }, h("legend", { className: "live-hidden" }, say`Below each step`),
          ...this.ways.map((way, n) => h("label", {}, way, ` ${names[n]} `))),
        h("div", { className: "journey-sides" },
          h("div", {}, h("div", { "aria-live": "polite" }, this.name, this.words), this.code, this.sizes), this.shown));
      stage.append(element, this.body, tries);
      this.redraw();
      new ResizeObserver(() => this.paint()).observe(this.plan);
      new MutationObserver(() => this.paint()).observe(document.documentElement, { attributeFilter: ["data-theme"] });
    }

    /** A step: its name, what it does to the rows, its shape; in the decoder the names stand below, as on the map. */
    box(step, n) {
      const layer = Object.entries(LAYER).find(([first, last]) => n >= first && n <= last);
      const over = h("span", { className: `journey-over${layer ? " journey-layer" : ""}` }, Number(layer?.[0]) === n ? say`layer 1` : "");
      const canvas = h("span", { className: "journey-canvas" }, h("canvas", { "aria-hidden": "true" }));
      const parts = [over, h("span", { className: "journey-label" }, `${n + 1} ${step.label}`), canvas];
      return h("button", {
        type: "button", className: "journey-box", onclick: () => this.go(n), onkeydown: (event) => this.walk(event),
      }, ...(n < FIRST ? parts : parts.reverse()), h("span", { className: "journey-shape" }));
    }

    /** A language: its tokens as buttons, and the steps beside them. */
    lane(name, n) {
      const tokens = h("div", { className: "journey-tokens", role: "group", "aria-label": name });
      const next = h("div", { className: "journey-next", lang: "ko", "aria-hidden": "true" });
      const steps = h("div", { className: "journey-steps", role: "group", "aria-label": say`The steps` },
        ...(n ? this.boxes.slice(FIRST) : this.boxes.slice(0, FIRST)));
      const element = h("div", { className: `journey-lane ${n ? "journey-decoder" : "journey-encoder"}` },
        h("p", { className: "live-label" }, name), tokens, steps, ...(n ? [next] : []));
      return { element, tokens, next };
    }

    /** Follow another token of a language. */
    follow(n, row) {
      if (n) Object.assign(this, { t: row, chosen: true });
      else {
        this.i = row;
        // Backwards the loss stays the same, so that the tokens can be compared.
        if (!this.chosen && !this.backwards) this.t = this.read.readers[row];
      }
      this.update();
    }

    /** The tokens of a language as buttons, of which one is followed. */
    offer(n, names, row) {
      const { tokens } = this.lanes[n];
      if (String([...tokens.children].map(({ textContent }) => textContent)) !== String(names)) {
        tokens.replaceChildren(...names.map((name, at) => h("button", {
          type: "button", className: "journey-token", lang: n ? "ko" : "en", title: name, onclick: () => this.follow(n, at),
          onkeydown: (event) => {
            const by = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
            const to = tokens.children[at + by];
            if (!to) return;
            event.preventDefault();
            this.follow(n, at + by);
            to.focus();
          },
        }, name)));
      }
      [...tokens.children].forEach((button, at) => {
        button.setAttribute("aria-pressed", String(at === row));
        button.tabIndex = at === row ? 0 : -1;
      });
    }

    /** Draw the steps, and the memory's way to the parts that read it. */
    paint() {
      if (!this.plan.clientWidth) return;
      this.colours = M.palette(this);
      const backwards = this.backwards ? GRADIENTS[this.t] : null;
      STEPS.forEach((step, n) => {
        let norms = null;
        if (backwards) {
          const rows = n < FIRST ? backwards.encoder.map((norm) => norm[n])
            : this.read.written.map((_, row) => (row === this.t ? backwards.decoder[n - FIRST] : 0));
          norms = { rows, all: n < FIRST ? backwards.encoder.flat() : backwards.decoder };
        }
        paint(this.boxes[n].querySelector("canvas"), step, this, n <= this.step, norms);
      });
      this.nameAgain();
      const corner = this.plan.getBoundingClientRect();
      const from = this.boxes[MEMORY].getBoundingClientRect();
      const places = READS.map((n) => this.boxes[n].querySelector("canvas").getBoundingClientRect());
      const beside = places.filter(({ top }, _, [first]) => top === first.top);
      const low = beside[0].top - corner.top - 20;
      const way = (by) => beside.map(({ left, width }) =>
        `M${from.right - corner.left - 20 - by} ${from.bottom - corner.top}V${low - by}H${left - corner.left + width / 3 - by}V${beside[0].top - corner.top}`).join("");
      this.arrow.replaceChildren(svg("path", { d: way(0), class: "journey-keys" }), svg("path", { d: way(4), class: "journey-values" }));
    }

    /** Where the steps of a language need several rows, its tokens are named beside each, and the next ones behind the last. */
    nameAgain() {
      const top = (box) => box.querySelector("canvas").offsetTop;
      const later = this.boxes.filter((box, n) => n % FIRST && box.offsetTop > this.boxes[n - 1].offsetTop);
      this.again.replaceChildren(...later.map((box) => {
        const n = Number(this.boxes.indexOf(box) >= FIRST), [names, row] = n ? [this.read.written, this.t] : [this.read.source, this.i];
        return h("div", { className: `journey-again journey-${n ? "decoder" : "encoder"}`, lang: n ? "ko" : "en",
          style: `top: ${top(box)}px; width: ${box.offsetLeft - 4}px` },
        ...names.map((name, at) => h("span", { className: at === row ? "journey-own" : "", onclick: () => this.follow(n, at) }, name)));
      }));
      const last = this.boxes.at(-1), { style } = this.lanes[1].next;
      style.setProperty("--left", `${last.offsetLeft + last.offsetWidth}px`);
      style.setProperty("--top", `${top(last)}px`);
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
      this.offer(0, read.source, i);
      this.offer(1, read.written, t);
      this.lanes[1].next.replaceChildren(...read.next.map((name, row) => h("span", { className: row === t ? "journey-own" : "" }, name)));
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
          to the first, everywhere in the shape of what stands there. Below each step stands its
          norm in the row that is followed (q, k, v: all three together). Change the row by a small step: the loss changes by at most
          about the norm times the length of the step. A line is as wide as the root of the norm.`
        : say`n = ${sizes.n} English tokens, m = ${sizes.m} Korean tokens, h = ${sizes.h} heads.
          minimal.py has one axis more in front, for the sentences of a batch.`;
      this.player.input.value = String(step + 1);
      this.player.tell(say`${step + 1} of ${STEPS.length}`);
      this.player.input.setAttribute("aria-valuetext", say`${step + 1} of ${STEPS.length}: ${now.name}`);
      tell(this.name, now.name);
      const back = gradients ? say` Backwards: the gradient here has norm ${written(gradients[step])}.` : "";
      tell(this.words, now.words(of) + back);
      this.code.replaceChildren(...(now.code ? [`minimal.py, ${now.where}: `, h("code", {}, now.code)]
        : [say`minimal.py ends with the scores.`]));
      this.shown.replaceChildren(...now.shows.flatMap((one) => numbers(one, now.part, this)));
      this.paint();
    }
  }

  /** Text that a screen reader says when it changes, and only then. */
  function tell(element, text) {
    if (element.textContent !== text) element.textContent = text;
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
    const means = new Map();
    const mean = (name) => {
      if (!means.has(name)) means.set(name, meanOfHeads(seen.get(`${name}.weights`)));
      return means.get(name);
    };
    const across = mean(`decoder.layers.${config.n_layers - 1}.cross_attention`);
    return {
      text, target: found.text, remarks: remarks(found, translator), seen, pieces, ids,
      source: ids.map(pieces), written: prefix.map(pieces),
      next: seen.get("output").rows().map((row) => pieces(highest(row))),
      readers: ids.map((_, i) => highest(across.map((row) => row[i]))),
      sizes: { n: ids.length, m: prefix.length, h: config.n_heads, V: config.vocab_size,
        d_model: config.d_model, d_ff: config.d_ff, d_k: config.d_k, d_v: config.d_v },
      drawn: (name, row) => drawn(seen.get(name), name, row), looks: (name, row) => mean(name)[row],
    };
  }

  /** What is drawn of a row of a tensor: all its numbers, or the largest scores and their probabilities. */
  function drawn(tensor, name, row) {
    if (name === "output") {
      const scores = bestTokens(tensor.row(row), 5).map(([, score]) => score).sort((a, b) => b - a);
      const sum = tensor.row(row).reduce((total, score) => total + Math.exp(score - scores[0]), 0);
      return { logits: scores, shares: scores.map((score) => Math.exp(score - scores[0]) / sum) };
    }
    const rows = name.endsWith(".inner") ? tensor.rows().map((each) => each.map((x) => Math.max(0, x))) : tensor.rows();
    return { values: rows[row], scale: M.scaleOf(rows) };
  }

  /** The same of the two rows that are known without the model; of others nothing. */
  function stored(trace) {
    const known = (name, row) => row === trace.rows[/^(decoder|target|output)/.test(name) ? "decoder" : "encoder"];
    return {
      drawn: (name, row) => {
        if (!known(name, row)) return null;
        if (name === "output") return trace.output;
        const { scale, row: text } = trace.vectors[name];
        return { scale, values: [...text].map((character) => (DIGITS.indexOf(character) - LEVELS) * scale / LEVELS) };
      },
      looks: (name, row) => (known(name, row) ? trace.looks[name] : null),
    };
  }

  customElements.define("live-journey", LiveJourney);
})();
