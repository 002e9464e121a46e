/**
 * Figure *Landing*: type English, read Korean while you type.
 *
 * A line joins each Korean word with the English word that it looks at most: cross-attention of the
 * last layer, averaged over the heads, in the row that wrote the word (alignment.py, evaluation.py).
 */
"use strict";

(() => {
  const { BadInput, EXTRA_SPACES, LiveFigure, alignedWords, h, remarks, showDoubt, svg } = AnnotatedTransformer;
  /** To try; none is in the training data (tests/lab/corpora/english_korean/test_open_whole.py). */
  const SENTENCES = [
    "The doctor met the judge who rode the camel",
    "The animal did not cross the street because it was too tired",
    "The animal did not cross the street because it was too wide",
    "My sister is looking for the red hat that I bought yesterday",
    "If I had money, I would buy a house"
  ];
  /** The first as the model translates it, shown before it is there (tests/lab/corpora/english_korean/test_open_whole.py). */
  const REST = {
    "target": "그 의사는 그 낙타를 탄 판사를 만났다", "links": [0, 1, 7, 8, 6, 4, 2],
    "weights": [
      [0.9087, 0.0709, 0.0005, 0.0013, 0.0006, 0.0007, 0.0035, 0.0115, 0.0021],
      [0.0043, 0.9927, 0.0002, 0.0001, 0.0013, 0.0, 0.0006, 0.0001, 0.0004],
      [0.0002, 0.0, 0.0002, 0.0027, 0.0016, 0.0261, 0.0274, 0.6821, 0.2585],
      [0.0001, 0.001, 0.002, 0.0027, 0.0103, 0.0946, 0.0797, 0.032, 0.497],
      [0.0, 0.0, 0.0044, 0.0002, 0.0, 0.2408, 0.7448, 0.0012, 0.007],
      [0.0006, 0.0121, 0.2397, 0.0677, 0.4532, 0.0108, 0.0006, 0.0005, 0.0122],
      [0.0001, 0.0001, 0.5669, 0.0041, 0.0062, 0.0007, 0.0001, 0.0, 0.0]
    ],
    "ends": [0.0002, 0.0002, 0.0014, 0.2806, 0.0016, 0.2025, 0.4218]
  };
  const QUIET = 800; // milliseconds without a key until a screen reader hears the translation

  class LiveLanding extends LiveFigure {
    /** A model of its own, for what visitors type; the other figures look into the model of the book. */
    static model = "english_korean_open";

    build(stage) {
      this.field = h("textarea", {
        className: "live-field", rows: 2, lang: "en", value: SENTENCES[0],
        spellcheck: false, autocomplete: "off", oninput: () => this.update(),
      });
      const choose = (sentence) => () => {
        this.field.value = sentence;
        this.update();
      };
      const tries = SENTENCES.map((sentence) => h("li", {}, h("button", {
        type: "button", className: "live-button", lang: "en", onclick: choose(sentence),
      }, sentence)));
      this.sentence = h("p", { className: "landing-sentence", lang: "ko" });
      this.words = h("div", { className: "landing-words" });
      this.detail = h("p", { className: "live-note landing-detail", id: "landing-detail" });
      this.spoken = h("p", { className: "live-hidden", lang: "ko", "aria-live": "polite" });
      stage.append(
        h("label", { className: "live-label" }, "English", this.field), this.status,
        this.words, this.sentence, this.detail, this.spoken,
        h("p", { className: "live-label", id: "landing-tries" },
          "Five that are not in its training data"),
        h("ul", { className: "landing-tries", "aria-labelledby": "landing-tries" }, ...tries),
        h("p", { className: "live-note" },
          "It knows 4,425 English words and the sentence patterns of one small grammar. It refuses a " +
          "text if it knows fewer than half of the words, as in most other languages, and writes in " +
          "grey what may be wrong. In a test with 113 English sentences that visitors might type, 91 " +
          "translations were right, though 16 of these were grey, and none was wrong without being grey."));
      this.show(SENTENCES[0].split(" "), REST.target, REST);
      new ResizeObserver(() => this.arrange()).observe(stage);
      document.fonts.ready.then(() => this.arrange());
    }

    *draw(translator) {
      const typed = this.field.value;
      const { policy } = translator;
      try {
        const blank = !policy.impossible(typed) && !policy.tidy(typed, []);
        if (blank) throw new BadInput("Write an English sentence, or choose one of the five.");
        const reading = translator.read(typed);
        const parts = [];
        for (const sentence of reading.sentences) {
          const found = yield* translator.translate(sentence);
          parts.push({ ...found, ...attended(translator, sentence, found.text), words: sentence.split(" ") });
        }
        const words = parts.flatMap((part) => part.words);
        const found = {
          text: parts.map((part) => part.text).join(" "), finished: parts.every((part) => part.finished),
          unknownWords: reading.unknownWords, unknownCharacters: reading.unknownCharacters,
          doubts: translator.doubts(parts),
        };
        const isKnown = (word) => !policy.unknownWords(policy.wordsOf(word)).length;
        this.show(words, found.text, together(parts, words.length), isKnown);
        const doubts = remarks(found, translator);
        for (const element of [this.words, this.sentence]) showDoubt(element, doubts);
        this.say([...changesOf(reading), ...doubts].join(" "));
        this.announce(found.text);
      } catch (error) {
        this.show([], "", { links: [], weights: [], ends: [] });
        this.announce("");
        throw error;
      }
    }

    /** Write the words of both languages; links[i] is the source word of target word i. */
    show(words, target, { links, weights, ends }, isKnown = () => true) {
      const written = JSON.stringify([words, words.map(isKnown), target, links]);
      Object.assign(this, { links, weights, ends });
      // The same words stay where they are: somebody may stand on one, or be about to click it.
      if (written === this.written) return this.point(this.chosen);
      const focused = this.target?.indexOf(document.activeElement) ?? -1;
      this.written = written;
      this.sentence.textContent = target;
      this.source = words.map((word, i) => {
        const known = isKnown(word);
        const point = () => this.point(links.flatMap((from, j) => (from === i ? [j] : [])));
        return h("span", {
          className: known ? "live-word" : "live-word landing-unknown",
          onpointerenter: point, onpointerleave: () => this.point(),
        }, word, ...(known ? [] : [h("span", { className: "live-hidden" }, " (unknown)")]));
      });
      this.target = target.split(" ").filter(Boolean).map((word, j) => h("button", {
        type: "button", className: "live-word", "aria-describedby": "landing-detail",
        onpointerenter: () => this.point([j]), onpointerleave: () => this.point(),
        onfocus: () => this.point([j]), onblur: () => this.point(), onclick: () => this.point([j]),
      }, word));
      this.lines = links.map(() => svg("path", {}));
      this.words.replaceChildren(
        h("div", { className: "landing-row", lang: "en" }, ...this.source),
        svg("svg", { "aria-hidden": "true" }, ...this.lines),
        h("div", { className: "landing-row", lang: "ko" }, ...this.target));
      this.point();
      this.arrange();
      if (focused >= 0) (this.target[focused] ?? this.target.at(-1) ?? this.field).focus();
    }

    /** Put the words into two rows or, where they are too long for one, into two columns. */
    arrange() {
      this.stage.classList.remove("landing-columns");
      const rows = this.words.querySelectorAll(".landing-row");
      const wide = [...rows].some((row) => row.scrollWidth > row.clientWidth + 1);
      this.stage.classList.toggle("landing-columns", wide);
      const corner = this.words.querySelector("svg").getBoundingClientRect();
      const boxes = (words) => words.map((word) => word.getBoundingClientRect());
      const [source, target] = [boxes(this.source), boxes(this.target)];
      this.lines.forEach((line, j) => {
        const [from, to] = [source[this.links[j]], target[j]];
        line.setAttribute("d", wide ? across(from, to, corner) : down(from, to, corner));
      });
    }

    /** Bring some links out, and say of one target word what it looked at. */
    point(chosen = []) {
      this.chosen = chosen;
      const sources = chosen.map((j) => this.links[j]);
      const mark = (all, some) => all.forEach((one, i) =>
        one.classList.toggle("landing-on", some.includes(i)));
      mark(this.source, sources);
      mark(this.target, chosen);
      mark(this.lines, chosen);
      this.words.classList.toggle("landing-pointing", chosen.length > 0);
      const [only] = chosen;
      this.detail.textContent = chosen.length === 1 && this.weights[only]
        ? `${this.target[only].textContent} looked at ${most(this.weights[only], this.source, this.ends[only])}.` : "";
    }

    /** Let a screen reader hear the translation when the reader stops typing; one that is gone at once no more. */
    announce(text) {
      clearTimeout(this.timer);
      const speak = () => { this.spoken.textContent = text; };
      if (text) this.timer = setTimeout(speak, QUIET);
      else speak();
    }
  }

  /** Attention between the words, or none where the translation is no text that has words. */
  function attended(translator, source, target) {
    try {
      return translator.attention(source, target);
    } catch (error) {
      if (error instanceof BadInput) return { weights: [], endOfSource: [] };
      throw error;
    }
  }

  /** The attention of several sentences as that of one, in which each looks at its own words alone. */
  function together(parts, length) {
    const whole = { links: [], weights: [], ends: [] };
    let before = 0;
    for (const { weights, endOfSource, words } of parts) {
      const padded = (row) =>
        Array.from({ length }, (_, i) => row[i - before] ?? 0);
      whole.links.push(...alignedWords(weights).map((link) => link + before));
      whole.weights.push(...weights.map(padded));
      whole.ends.push(...endOfSource);
      before += words.length;
    }
    return whole;
  }

  /** How a text was read, in a sentence, if that is worth saying. */
  function changesOf(reading) {
    const changes = reading.changes.filter((change) => change !== EXTRA_SPACES);
    return changes.length ? [`Before it is translated: ${changes.join("; ")}.`] : [];
  }

  /** Where the weight went, such as "rode 91 %, who 5 %": words with 1 % or more, three at most, and the end. */
  function most(shares, words, end) {
    const percent = (share) => Math.round(100 * share);
    const order = shares.map((_, i) => i).sort((a, b) => shares[b] - shares[a]).slice(0, 3);
    const places = order.filter((i) => percent(shares[i]))
      .map((i) => `${words[i].firstChild.data} ${percent(shares[i])} %`);
    if (percent(end)) places.push(`the end of the sentence ${percent(end)} %`);
    return places.join(", ");
  }

  /** A curve from under one box to above another; corner: that of the drawing. */
  function down(from, to, corner) {
    const [x, X] = [from, to].map((box) => box.left + box.width / 2 - corner.left);
    const [y, Y] = [from.bottom - corner.top, to.top - corner.top];
    return `M${x} ${y}C${x} ${(y + Y) / 2} ${X} ${(y + Y) / 2} ${X} ${Y}`;
  }

  /** A curve from the right of one box to the left of another. */
  function across(from, to, corner) {
    const [x, X] = [from.right - corner.left, to.left - corner.left];
    const [y, Y] = [from, to].map((box) => box.top + box.height / 2 - corner.top);
    return `M${x} ${y}C${(x + X) / 2} ${y} ${(x + X) / 2} ${Y} ${X} ${Y}`;
  }

  customElements.define("live-landing", LiveLanding);
})();
