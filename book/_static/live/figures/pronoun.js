/**
 * Figure *Encoder and decoder*: put rows of one sentence's memory into another's, and read the translation.
 *
 * Both sentences have the same words but one. The rows of a word are those of its tokens; the decoder's
 * layers that are chosen read the mixed memory, the others that of the sentence itself, as
 * `patched_log_odds` has it (lab/analysis/pronoun_probes.py). Translations are greedy, as in the chapter.
 */
"use strict";

(() => {
  const { LiveFigure, Tensor, h, marked, say, sayWith } = AnnotatedTransformer;
  const SCENES = [
    { name: say`fox and chicken`, gloss: say`여우 fox, 닭 chicken`, sentences: [
      "The fox did not catch the chicken because it was too tired",
      "The fox did not catch the chicken because it was too fast"] },
    { name: say`animal and street`, gloss: say`동물 animal, 길 street`, sentences: [
      "The animal did not cross the street because it was too tired",
      "The animal did not cross the street because it was too wide"] },
    { name: say`goat and mountain`, gloss: say`염소 goat, 산 mountain`, sentences: [
      "The goat did not climb the mountain because it was too lazy",
      "The goat did not climb the mountain because it was too high"] },
    { name: say`two nouns`, gloss: say`여우 fox, 닭 chicken`, sentences: [
      "The fox ate the bread", "The chicken ate the bread"] },
  ];
  /** Translations of the first two, before the model is there (tests/live/test_pronoun.py). */
  const REST = ["그 여우가 너무 피곤해서 그 닭을 잡지 못했다", "그 닭이 너무 빨라서 그 여우는 그것을 잡지 못했다"];
  const READERS = { [say`both layers`]: [0, 1], [say`layer 1 alone`]: [0], [say`layer 2 alone`]: [1] };
  const GREEDY = { size: 1, alpha: 0 };
  const END = "<eos>";

  const wordsOf = (sentence) => [...sentence.split(" "), END];

  /** Tokens [start, stop) of each word, and of the end of the sentence. */
  function spansOf(tokenizer, sentence) {
    const spans = tokenizer.wordSpans(sentence);
    const last = spans.at(-1)[1];
    return [...spans, [last, last + 1]];
  }

  /** One memory out of two: the rows of word i come from the other one if it is exchanged. */
  function mixed(memories, spans, side, exchanged) {
    const rows = spans[side].flatMap((_, i) => {
      const from = exchanged.has(i) ? 1 - side : side;
      return memories[from].rows().slice(...spans[from][i]);
    });
    return tensorOf(rows);
  }

  function tensorOf(rows) {
    const tensor = new Tensor([rows.length, rows[0].length]);
    rows.forEach((row, i) => tensor.row(i).set(row));
    return tensor;
  }

  /** A hook that lets some layers of the decoder read another memory: its keys and values take the place of theirs. */
  function reading(model, memory, layers) {
    const found = model.project(memory);
    return (name) => {
      const [, layer, kind] = /^decoder\.layers\.(\d+)\.cross_attention\.([kv])$/.exec(name) ?? [];
      if (!layers.includes(Number(layer))) return;
      return tensorOf(found[layer][kind === "k" ? "keys" : "values"]);
    };
  }

  class LivePronoun extends LiveFigure {
    build(stage) {
      this.exchanged = new Set();
      this.readers = READERS[say`both layers`];
      this.scenes = SCENES.map((scene) => h("button", {
        type: "button", className: "live-button", onclick: () => this.choose(scene),
      }, scene.name));
      this.gloss = h("span", {});
      this.sides = h("fieldset", { className: "pronoun-sides" });
      this.words = h("div", { className: "live-row" });
      const set = (name, chosen) => h("button", {
        type: "button", className: "live-button",
        onclick: () => {
          const all = wordsOf(this.scene.sentences[this.side]);
          this.exchanged = new Set([...all.keys()].filter((i) => chosen(all[i])));
          this.redraw();
        },
      }, name);
      this.aboutIt = [set(say`it alone`, (word) => word === "it"), set(say`everything but it`, (word) => word !== "it")];
      const radios = Object.entries(READERS).map(([name, layers], n) => h("label", {}, h("input", {
        type: "radio", name: "pronoun-readers", checked: !n, onchange: () => {
          this.readers = layers;
          this.update();
        } }), ` ${name} `));
      this.found = h("p", { lang: "ko", className: "pronoun-found", "aria-live": "polite" });
      const label = (...parts) => h("p", { className: "live-label" }, ...parts);
      stage.append(
        h("div", { className: "live-row" }, ...this.scenes), this.sides,
        label(say`Click a word: the decoder then reads its row of the memory from the other sentence`), this.words,
        h("div", { className: "live-row", role: "group", "aria-label": say`Exchange` },
          h("span", { className: "live-note" }, say`or exchange`),
          set(say`nothing`, () => false), ...this.aboutIt, set(say`everything`, () => true)),
        h("fieldset", { className: "pronoun-readers" },
          h("legend", { className: "live-label" }, say`Exchanged rows are read by the decoder's`), ...radios),
        label(...sayWith`What it writes (${this.gloss})`), this.found,
        h("p", { className: "live-note" },
          say`Words that are new are underlined, words that are gone struck out.`));
      this.choose(SCENES[0], REST);
    }

    /** Begin with a scene: its two sentences, nothing exchanged. */
    choose(scene, translations) {
      Object.assign(this, { scene, side: 0, translations, read: null });
      this.exchanged.clear();
      this.gloss.textContent = scene.gloss;
      this.aboutIt.forEach((button) => { button.disabled = !scene.sentences[0].includes(" it "); });
      this.scenes.forEach((button, n) => button.setAttribute("aria-pressed", String(SCENES[n] === scene)));
      this.targets = scene.sentences.map((_, side) =>
        h("span", { lang: "ko", className: "pronoun-target" }, translations?.[side] ?? ""));
      const radios = scene.sentences.map((sentence, side) => h("label", {}, h("input", {
        type: "radio", name: "pronoun-side", checked: !side, onchange: () => {
          this.side = side;
          this.redraw();
        } }), " ", h("span", { lang: "en" }, sentence), this.targets[side]));
      this.sides.replaceChildren(h("legend", { className: "live-label" }, say`The decoder reads the memory of`), ...radios);
      if (translations) {
        this.showWords();
        this.found.replaceChildren(...marked(translations[0], translations[0]));
      } else this.redraw();
    }

    redraw() {
      this.showWords();
      this.update();
    }

    showWords() {
      const [own, other] = [this.side, 1 - this.side].map((side) => wordsOf(this.scene.sentences[side]));
      const focused = [...this.words.children].indexOf(document.activeElement);
      this.words.replaceChildren(...own.map((word, i) => {
        const taken = this.exchanged.has(i);
        return h("button", {
          type: "button", className: "live-button pronoun-word", "aria-pressed": String(taken), lang: "en",
          "aria-label": taken ? say`${word}, row of ${other[i]} from the other sentence` : word,
          onclick: () => {
            if (!this.exchanged.delete(i)) this.exchanged.add(i);
            this.redraw();
          },
        }, taken ? `⇄ ${other[i]}` : word);
      }));
      this.words.children[focused]?.focus();
    }

    *draw(translator) {
      const { scene, side, readers } = this;
      const exchanged = new Set(this.exchanged);
      const { model, tokenizer } = translator;
      if (!this.read) {
        const whole = [];
        for (const sentence of scene.sentences) whole.push(yield* translator.translate(sentence, GREEDY));
        this.read = whole;
        this.targets.forEach((span, n) => { span.textContent = whole[n].text; });
      }
      const whole = this.read;
      const spans = scene.sentences.map((sentence) => spansOf(tokenizer, sentence));
      const memory = mixed(whole.map((found) => found.memory), spans, side, exchanged);
      const hook = reading(model, memory, readers);
      const found = yield* translator.translate(scene.sentences[side], { ...GREEDY, hook });
      this.found.replaceChildren(...marked(whole[side].text, found.text));
      this.say(found.finished ? "" : say`The translation comes to no end and is cut off.`);
    }
  }

  customElements.define("live-pronoun", LivePronoun);
})();
