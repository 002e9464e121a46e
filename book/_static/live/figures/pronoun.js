/**
 * Figure *Encoder and decoder*: two memories side by side; a click exchanges the rows of a word, and both
 * translations follow.
 *
 * Both sentences have the same words but one. A row of the picture has the values of a word's tokens; the
 * decoder's layers that are chosen read the exchanged rows, the others the sentence's own, as
 * `patched_log_odds` has it (lab/analysis/pronoun_probes.py). Translations are greedy, as in the chapter.
 */
"use strict";

(() => {
  const { LiveFigure, Tensor, h, marked, say } = AnnotatedTransformer;
  const { MEMORIES, SPANS } = AnnotatedTransformer.pronoun;
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
  const LAYERS = [say`decoder layer 1`, say`decoder layer 2`];
  const SATURATED = 2.2; // times the root mean square of its memory a value has its full colour
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

  /** The memories of the first scene as they are stored: a byte for a value. */
  function storedMemories() {
    return MEMORIES.map(({ rows, most, values }) => {
      const bytes = Int8Array.from(atob(values), (letter) => letter.charCodeAt(0));
      const tensor = new Tensor([rows, bytes.length / rows]);
      bytes.forEach((byte, i) => { tensor.data[i] = (byte * most) / 127; });
      return tensor;
    });
  }

  class LivePronoun extends LiveFigure {
    static wide = true;

    build(stage) {
      this.exchanged = new Set();
      this.layers = new Set([0, 1]);
      this.scenes = SCENES.map((scene) => h("button", {
        type: "button", className: "live-button", onclick: () => this.choose(scene),
      }, scene.name));
      this.hint = h("p", { className: "wide-hint" });
      this.founds = [0, 1].map(() => h("p", { lang: "ko", className: "pronoun-found" }));
      this.sentences = [0, 1].map(() => h("p", { lang: "en", className: "pronoun-sentence" }));
      this.heard = h("p", { className: "live-hidden", lang: "ko", "aria-live": "polite" });
      this.rows = h("div", { className: "pronoun-rows", role: "group", "aria-label": say`Words of the two sentences` });
      const set = (name, chosen) => h("button", {
        type: "button", className: "live-button",
        onclick: () => {
          const all = wordsOf(this.scene.sentences[0]);
          this.exchanged = new Set([...all.keys()].filter((i) => chosen(all[i])));
          this.redraw();
        },
      }, name);
      this.aboutIt = [set(say`it alone`, (word) => word === "it"), set(say`everything but it`, (word) => word !== "it")];
      this.readers = LAYERS.map((name, layer) => h("button", {
        type: "button", className: "live-button", "aria-pressed": "true", onclick: () => {
          if (!this.layers.delete(layer)) this.layers.add(layer);
          this.redraw();
        },
      }, name));
      stage.append(
        h("div", { className: "live-row", role: "group", "aria-label": say`Scene` }, ...this.scenes),
        h("div", { className: "pronoun-sides" }, ...[0, 1].map((side) => h("div", {}, this.sentences[side], this.founds[side]))),
        h("div", { className: "wide-said" }, this.hint, this.status), this.rows,
        h("div", { className: "pronoun-below" },
          h("div", { className: "live-row", role: "group", "aria-label": say`Exchange` },
            h("span", { className: "live-note" }, say`Exchange`),
            set(say`nothing`, () => false), ...this.aboutIt, set(say`everything`, () => true)),
          h("div", { className: "live-row", role: "group", "aria-label": say`Exchanged rows are read by` },
            h("span", { className: "live-note" }, say`Exchanged rows are read by`), ...this.readers)),
        this.heard);
      this.choose(SCENES[0], REST);
      new MutationObserver(() => this.paint()).observe(document.documentElement, { attributeFilter: ["data-theme"] });
    }

    /** Begin with a scene: its two sentences, nothing exchanged; with translations if they are known. */
    choose(scene, translations) {
      Object.assign(this, { scene, read: null, memories: null });
      this.exchanged.clear();
      this.founds.forEach((place) => { place.style.minHeight = ""; });
      this.hint.textContent = say`Choose a word: its rows change places. New words are underlined, words that are gone struck out (${scene.gloss}).`;
      this.aboutIt.forEach((button) => { button.disabled = !scene.sentences[0].includes(" it "); });
      this.scenes.forEach((button, n) => button.setAttribute("aria-pressed", String(SCENES[n] === scene)));
      scene.sentences.forEach((sentence, side) => { this.sentences[side].textContent = sentence; });
      if (translations) {
        Object.assign(this, { memories: storedMemories(), spans: SPANS });
        this.showRows();
        translations.forEach((text, side) => this.founds[side].replaceChildren(...marked(text, text)));
        this.heard.textContent = translations.join(". ");
      } else this.redraw();
    }

    redraw() {
      this.showRows();
      this.update();
    }

    /** A button for each word, which exchanges its rows; the buttons stay as long as the words do. */
    showRows() {
      const words = this.scene.sentences.map(wordsOf);
      if (this.shown !== this.scene) {
        this.shown = this.scene;
        this.strips = [[], []];
        this.rows.replaceChildren(...words[0].map((word, i) => {
          const strip = (side) => {
            const canvas = h("canvas", { className: `pronoun-strip pronoun-strip-${side}`, "aria-hidden": "true" });
            this.strips[side].push(canvas);
            return canvas;
          };
          const name = (side) => h("span", { className: words[0][i] === words[1][i] ? "" : "pronoun-other", lang: "en" }, words[side][i]);
          return h("button", { type: "button", className: "pronoun-word", onclick: () => {
            if (!this.exchanged.delete(i)) this.exchanged.add(i);
            this.redraw();
          } }, name(0), strip(0), h("span", { className: "pronoun-swap", "aria-hidden": "true" }, "⇄"), strip(1), name(1), h("span", { className: "live-hidden" }));
        }));
      }
      [...this.rows.children].forEach((button, i) => {
        const taken = this.exchanged.has(i);
        button.setAttribute("aria-pressed", String(taken));
        button.lastChild.textContent = taken ? say`${words[0][i]}, row of ${words[1][i]} from the other sentence` : "";
      });
      this.readers.forEach((button, layer) => button.setAttribute("aria-pressed", String(this.layers.has(layer))));
      this.paint();
    }

    /** The values of each word's tokens: the hue of English above zero, slate below, paper grey at zero. */
    paint() {
      if (!this.memories) return;
      const style = getComputedStyle(this);
      const [zero, plus, minus] = ["zero", "plus", "minus"].map((name) => rgb(style.getPropertyValue(`--pronoun-${name}`)));
      this.memories.forEach((memory, side) => {
        const { data, shape: [, width] } = memory;
        const full = SATURATED * Math.sqrt(data.reduce((sum, value) => sum + value * value, 0) / data.length);
        this.strips[side].forEach((canvas, word) => {
          const [start, stop] = this.spans[side][word];
          Object.assign(canvas, { width, height: stop - start });
          const image = new ImageData(width, stop - start);
          for (let token = start; token < stop; token++) {
            memory.row(token).forEach((value, n) => {
              const share = Math.min(1, Math.abs(value) / full);
              const towards = value > 0 ? plus : minus;
              const colour = zero.map((one, i) => one + (towards[i] - one) * share);
              image.data.set([...colour, 255], 4 * ((token - start) * width + n));
            });
          }
          canvas.getContext("2d").putImageData(image, 0, 0);
        });
      });
    }

    *draw(translator) {
      const { scene } = this;
      const exchanged = new Set(this.exchanged), layers = [...this.layers];
      const { model, tokenizer } = translator;
      if (!this.read) {
        const whole = [];
        for (const sentence of scene.sentences) whole.push(yield* translator.translate(sentence, GREEDY));
        this.read = whole;
        Object.assign(this, { memories: whole.map((found) => found.memory), spans: scene.sentences.map((one) => spansOf(tokenizer, one)) });
        this.paint();
      }
      const { read: whole, spans } = this;
      const founds = [];
      for (const side of [0, 1]) {
        const memory = mixed(whole.map((found) => found.memory), spans, side, exchanged);
        const hook = reading(model, memory, layers);
        founds.push(exchanged.size ? yield* translator.translate(scene.sentences[side], { ...GREEDY, hook }) : whole[side]);
      }
      founds.forEach((found, side) => {
        const place = this.founds[side];
        place.replaceChildren(...marked(whole[side].text, found.text));
        place.style.minHeight = `${place.offsetHeight}px`; // a shorter text does not move the words under a finger
      });
      this.heard.textContent = founds.map((found) => found.text).join(". ");
      this.say(founds.every((found) => found.finished) ? "" : say`The translation comes to no end and is cut off.`);
    }
  }

  /** "#rrggbb" as three numbers. */
  const rgb = (text) => [1, 3, 5].map((at) => parseInt(text.trim().slice(at, at + 2), 16));

  customElements.define("live-pronoun", LivePronoun);
})();
