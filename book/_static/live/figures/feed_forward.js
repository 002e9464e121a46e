/**
 * Figure *Feed-forward*: the 512 units of the last network, coloured by what they add to the lead of 을 over 를.
 * Networks and units fall silent at a click; two bars and the translation say what becomes of the choice.
 *
 * The model is fed the beginning of its own translation up to the first place where 을 or 를 is a token of
 * its own. A silent unit stays at zero; of a silent network only b2 is added (`without_units`, lab/analysis/units.py).
 */
"use strict";

(() => {
  const { BOS, LiveFigure, h, marked, readingRemarks, remarks, say, sayWith, sentenceIn, showDoubt, svg, twoSentences } = AnnotatedTransformer;
  const SENTENCES = ["I read the book", "I ate the apple", "The child drank the milk", "The fox ate the bread"];
  const NETWORKS = [
    [say`encoder layer 1`, "encoder.layers.0"], [say`encoder layer 2`, "encoder.layers.1"],
    [say`decoder layer 1`, "decoder.layers.0"], [say`decoder layer 2`, "decoder.layers.1"],
  ];
  const LAST = "decoder.layers.1";
  /** The units of the last network that fire before one of the two far more often; in the order of the chapter. */
  const TWENTY = [14, 272, 76, 115, 401, 119, 8, 94, 358, 146, 50, 252, 451, 166, 286, 479, 364, 7, 466, 378];
  const SHOWN = 8;
  const [UNITS, ACROSS] = [512, 32];
  /** The first sentence before the model is there (tests/live/test_feed_forward.py); units as [unit, push]. */
  const REST = {
    text: "나는 책을 읽었다", written: "나는 책", due: 0, best: "을", shares: [0.9055, 0.0004], lead: 7.85,
    // What a unit that fires adds: 13 of the 512.
    fired: [[401, 23.1], [8, 6.3], [397, 5.9], [358, 4.1], [389, -2.5], [451, 2.2], [289, 1], [252, 0.9], [310, -0.2], [292, 0.1], [173, 0.1], [505, -0.01], [497, 0.01]],
  };

  const percent = (share) => say`${(100 * share).toFixed(2)} %`;
  const signed = (value) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(1)}`.replace("−0.0", "+0.0");

  /** A hook that silences networks, by layer, and units of the last one. */
  function silence(networks, units) {
    return (name, tensor) => {
      const layer = name.slice(0, -".feed_forward.inner".length);
      if (!name.endsWith(".feed_forward.inner")) return;
      if (networks.has(layer)) tensor.data.fill(-1); // below zero: the maximum makes it 0
      if (layer === LAST) tensor.rows().forEach((row) => units.forEach((unit) => { row[unit] = -1; }));
    };
  }

  /** Shares of all tokens from their scores. */
  function softmax(scores) {
    const most = scores.reduce((a, b) => Math.max(a, b), -Infinity);
    const powers = Array.from(scores, (score) => Math.exp(score - most));
    const sum = powers.reduce((a, b) => a + b, 0);
    return powers.map((value) => value / sum);
  }

  class LiveFeedForward extends LiveFigure {
    static wide = true;

    build(stage) {
      this.networks = new Set();
      this.units = new Set();
      const { field, output, hint, element, tries } = twoSentences(SENTENCES, () => this.update(), this.status);
      Object.assign(this, { field, found: output });
      this.found.classList.add("ffn-found");
      hint.textContent = say`Choose a network or a unit to silence it. New words are underlined, words that are gone struck out.`;
      this.switches = NETWORKS.map(([name, layer]) => this.toggle(this.networks, layer, name));
      this.twenty = h("button", { type: "button", className: "live-button", onclick: () => {
        const off = TWENTY.every((unit) => this.units.has(unit));
        TWENTY.forEach((unit) => (off ? this.units.delete(unit) : this.units.add(unit)));
        this.update();
      } }, say`the 20 most one-sided units`);
      this.back = h("button", { type: "button", className: "live-button", onclick: () => {
        this.networks.clear();
        this.units.clear();
        this.update();
      } }, say`Switch all on`);
      this.fired = h("div", { className: "live-row" });
      this.choice = h("div", { className: "ffn-choice", "aria-live": "polite" });
      const label = (text) => h("p", { className: "live-label" }, text);
      this.aboutUnits = label("");
      this.aboutOthers = h("p", { className: "live-note ffn-others" });
      this.cells = Array.from({ length: UNITS }, (_, unit) => svg("rect", {
        x: unit % ACROSS, y: Math.floor(unit / ACROSS), width: 0.92, height: 0.92, "data-unit": unit,
      }, svg("title", {})));
      this.grid = svg("svg", { viewBox: `0 0 ${ACROSS} ${UNITS / ACROSS}`, preserveAspectRatio: "none", class: "ffn-units", role: "img" }, ...this.cells);
      this.grid.addEventListener("click", ({ target }) => {
        if (!target.dataset.unit) return;
        const unit = Number(target.dataset.unit);
        if (!this.units.delete(unit)) this.units.add(unit);
        this.update();
      });
      stage.append(element,
        h("div", { className: "ffn-networks", role: "group", "aria-label": say`Networks` },
          ...this.switches.flatMap(({ button }, n) => [...(n ? [h("span", { "aria-hidden": "true" }, "→")] : []), button])),
        h("div", { className: "ffn-sides" },
          h("div", {}, this.aboutUnits, this.grid, this.fired, this.aboutOthers),
          h("div", {}, this.choice, h("div", { className: "live-row live-only" }, this.twenty, this.back),
            h("p", { className: "live-note live-only" }, say`One-sided: over many sentences such a unit fires before 을 far more
              often than before 를, or the other way round.`))),
        tries);
      this.found.textContent = REST.text;
      this.show({ ...REST, units: REST.fired.slice(0, SHOWN) });
    }

    /** A button that stands for what is on; pressing it moves `key` into a set of what is off, or back. */
    toggle(set, key, ...children) {
      const button = h("button", { type: "button", className: "live-button ffn-switch", onclick: () => {
        if (!set.delete(key)) set.add(key);
        this.update();
      } }, ...children);
      return { button, key, set };
    }

    /** What is pressed, the units, and the choice of `state`, which may be null where there is none. */
    show(state) {
      const press = ({ button, key, set }) => button.setAttribute("aria-pressed", String(!set.has(key)));
      this.switches.forEach(press);
      this.twenty.setAttribute("aria-pressed", String(!TWENTY.every((unit) => this.units.has(unit))));
      // Not `disabled`: that would take the focus away from a reader who has just pressed the button with a key.
      this.back.setAttribute("aria-disabled", String(!(this.networks.size + this.units.size)));
      if (!state) {
        this.aboutUnits.textContent = this.aboutOthers.textContent = "";
        this.fired.replaceChildren();
        this.choice.replaceChildren();
        this.showCells([]);
        return;
      }
      const { written, due, best, shares, lead, units, fired, others } = state;
      this.showCells(fired);
      this.aboutUnits.textContent = units.length
        ? say`The 512 units of decoder layer 2 after ${written}: green pushes towards 을, grey towards 를`
        : say`The last network is silent, and with it all its units`;
      this.aboutOthers.textContent = others
        ? say`${others} more ${others === 1 ? "unit that is" : "units that are"} silent would not fire here.` : "";
      this.showUnits(units.map(([unit, push]) =>
        this.toggle(this.units, unit, say`unit ${unit} `, h("span", {}, signed(push)))), press);
      const bar = (particle, n) => h("div", { className: "ffn-bar" },
        h("span", { lang: "ko" }, particle), h("span", { className: "ffn-track" },
          h("span", { style: `width: ${100 * shares[n]}%`, className: n === due ? "ffn-due" : "" })),
        h("span", {}, percent(shares[n])));
      const right = due ? -lead : lead;
      const mostProbable = best.trim() ? h("span", { lang: "ko" }, best.trim()) : h("span", {}, say`a space`);
      this.choice.replaceChildren(
        h("p", { className: "live-label" }, ...sayWith`The choice after ${h("span", { lang: "ko" }, written)}: how probable`),
        bar("을", 0), bar("를", 1),
        h("p", { className: "live-note" }, right < 0
          ? say`${"을를"[due]} is right; its score is ${Math.abs(right).toFixed(1)} below that of ${"를을"[due]}.`
          : say`${"을를"[due]} is right; its score is ${right.toFixed(1)} above that of ${"를을"[due]}.`,
        ...sayWith` The most probable token of all is ${mostProbable}.`));
    }

    /** Colour each unit by its push; one that does not fire is as the paper, one that is silent an empty frame. */
    showCells(fired) {
      const pushes = new Map(fired);
      const largest = Math.max(...fired.map(([, push]) => Math.abs(push)), 1e-9);
      const silent = this.networks.has(LAST);
      this.cells.forEach((cell, unit) => {
        const push = silent ? 0 : pushes.get(unit) ?? 0;
        const off = silent || this.units.has(unit);
        cell.setAttribute("class", off ? "ffn-silent" : push > 0 ? "ffn-plus" : push < 0 ? "ffn-minus" : "ffn-zero");
        cell.style.setProperty("--push", (15 + 85 * Math.sqrt(Math.abs(push) / largest)).toFixed(0) + "%");
        cell.firstChild.textContent = push ? say`unit ${unit} ` + signed(push) : say`unit ${unit} `;
      });
      this.grid.setAttribute("aria-label", say`${fired.length} of ${UNITS} units fire here. The buttons after this picture silence those that push most.`);
    }

    /** Keep the focus where it is, if its unit is still there. */
    showUnits(toggles, press) {
      const focused = [...this.fired.children].findIndex((button) => button === document.activeElement);
      const key = this.shown?.[focused]?.key;
      this.shown = toggles;
      toggles.forEach(press);
      this.fired.replaceChildren(...toggles.map(({ button }) => button));
      if (focused >= 0) toggles.find((toggle) => toggle.key === key)?.button.focus();
    }

    *draw(translator) {
      this.found.textContent = "";
      const [networks, units] = [new Set(this.networks), new Set(this.units)];
      const greedy = { size: 1, alpha: 0 };
      let text;
      try {
        text = sentenceIn(this.field, translator);
        if (this.text !== text) this.all = yield* translator.translate(text, greedy);
      } catch (error) {
        this.show(null);
        throw error;
      }
      this.text = text;
      const hook = silence(networks, units);
      const state = choose(translator, text, this.all.ids, networks, units);
      this.state = state;
      this.show(state);
      const found = networks.size + units.size ? yield* translator.translate(text, { ...greedy, hook }) : this.all;
      this.found.replaceChildren(...marked(this.all.text, found.text));
      const none = state ? [] : [say`In this translation neither 을 nor 를 is a token of its own,
        so there is no such choice to show.`];
      const doubts = remarks(found, translator);
      showDoubt(this.found, doubts);
      this.say([...readingRemarks(this.field, translator), ...none, ...doubts].join(" "));
    }
  }

  /** The choice at the first 을 or 를 of a translation, with parts of the model silent; null if there is none. */
  function choose(translator, text, ids, networks, units) {
    const { model, tokenizer } = translator;
    const particles = ["을", "를"].map((piece) => tokenizer.pieces.indexOf(piece));
    const place = ids.findIndex((id) => particles.includes(id));
    if (place < 0) return null;
    const quiet = silence(networks, units);
    let answers;
    const hook = (name, tensor) => {
      if (name === `${LAST}.feed_forward.inner`) answers = tensor.row(place).map((x) => Math.max(0, x));
      return quiet(name, tensor);
    };
    const source = translator.sourceIds(text);
    const written = [BOS, ...ids.slice(0, place)];
    const scores = model.decode(written, model.encode(source, hook), hook).row(place);
    const shares = softmax(scores);
    const [eul, reul] = particles;
    const fired = networks.has(LAST) ? [] : pushes(model, answers, particles);
    const found = fired.filter(([unit], n) => n < SHOWN || units.has(unit));
    return {
      written: tokenizer.decode(written), due: particles.indexOf(ids[place]),
      best: tokenizer.decode([shares.indexOf(Math.max(...shares))]),
      shares: particles.map((id) => shares[id]), lead: scores[eul] - scores[reul],
      fired, units: found, // of a network that is silent there is nothing more to say
      others: networks.has(LAST) ? 0 : [...units].filter((unit) => !found.some(([shown]) => shown === unit)).length,
    };
  }

  /** What units that fire add to the lead of 을 over 를, before LayerNorm, as [unit, push]; the largest first. */
  function pushes(model, answers, [eul, reul]) {
    const [outer] = model.decoder.at(-1).feed_forward.outer;
    const [one, other] = [model.output.row(eul), model.output.row(reul)];
    const push = (unit) => answers[unit] *
      outer.rows().reduce((sum, row, n) => sum + row[unit] * (one[n] - other[n]), 0);
    const all = Array.from(answers, (answer, unit) => [unit, answer && push(unit)]);
    return all.filter(([, p]) => p).sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
  }

  customElements.define("live-feed-forward", LiveFeedForward);
})();
