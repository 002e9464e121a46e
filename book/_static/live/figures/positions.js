/**
 * Figure *Positions*: change the order of the words, and which positions are added to them.
 *
 * A word keeps its tokens wherever it goes. Which row of the sinusoids each token gets is chosen: that
 * of its place, as in the paper, that of its first place, or none. The end of the sentence stays last.
 * Translations are greedy.
 */
"use strict";

(() => {
  const { LiveFigure, h, language, marked, readingRemarks, remarks, say, sentenceField, sentenceIn, showDoubt } = AnnotatedTransformer;
  const SENTENCES = [
    "The dog saw the cat",
    "Anna likes Tom",
    "My sister gave the teacher a book",
    "Anna bought three books and two apples",
  ];
  /** The first as the model translates it, before it is there (tests/live/test_positions.py). */
  const REST = { text: "그 개는 그 고양이를 봤다", spans: [[0, 1], [1, 2], [2, 4], [4, 5], [5, 6]] };
  const GREEDY = { size: 1, alpha: 0 };
  /** How the encoder's positions are given, and what becomes of the rows for the tokens' places. */
  const WAYS = {
    place: say`its position now (as in the paper)`,
    word: say`its first position`,
    none: say`no position`,
  };

  const inOrder = (words) => [...words.keys()];
  const range = ([start, stop]) => Array.from({ length: stop - start }, (_, i) => start + i);

  /** For each token of the words in an order: its first place; the end of the sentence is last. */
  function firstPlaces(spans, order) {
    return [...order.flatMap((word) => range(spans[word])), spans.at(-1)[1]];
  }

  /** A hook that gives each token of the source the row that it has to get, and the target its rows or none. */
  function positioned(way, spans, order, decoder) {
    const places = firstPlaces(spans, order);
    return (name, tensor) => {
      if (name === "source_positions.encoding" && way === "word") {
        const rows = tensor.rows().map((row) => [...row]);
        places.forEach((place, i) => tensor.row(i).set(rows[place]));
      }
      const none = { "source_positions.encoding": way === "none", "target_positions.encoding": !decoder };
      if (none[name]) tensor.data.fill(0);
    };
  }

  /** The numbers in any order but the one they have, if there is another that reads differently. */
  function shuffled(order, words) {
    const reads = (numbers) => numbers.map((n) => words[n]).join(" ");
    if (new Set(words).size < 2) return order;
    for (;;) {
      const drawn = order.map((n) => [Math.random(), n]).sort(([a], [b]) => a - b).map(([, n]) => n);
      if (reads(drawn) !== reads(order)) return drawn;
    }
  }

  class LivePositions extends LiveFigure {
    build(stage) {
      const { field, element } = sentenceField(SENTENCES, () => this.update(), this.status);
      this.field = field;
      this.row = h("div", { className: "live-row", role: "group", "aria-label": say`The words in their order` });
      this.way = "place";
      const ways = Object.entries(WAYS).map(([way, name]) => h("label", {}, h("input", {
        type: "radio", name: "positions-way", checked: way === this.way,
        onchange: () => { this.way = way; this.redraw(); } }), ` ${name}`));
      this.decoder = h("input", { type: "checkbox", checked: true, onchange: () => this.update() });
      const move = (name, moved) => h("button", { type: "button", className: "live-button", onclick: () => {
        Object.assign(this, { order: moved(), chosen: null });
        this.redraw();
      } }, name);
      this.whole = h("p", { lang: "ko", className: "positions-found" }, REST.text);
      this.found = h("p", { lang: "ko", className: "positions-found", "aria-live": "polite" },
        ...compared(REST.text, REST.text));
      this.tried = h("p", { className: "live-note" });
      const label = (text) => h("p", { className: "live-label" }, text);
      stage.append(element,
        label(say`Click a word and then another: they change places. Below each: the positions of its tokens`), this.row,
        h("div", { className: "live-row" },
          move(say`Shuffle`, () => shuffled(this.order, this.words)),
          move(say`Backwards`, () => [...this.order].reverse()),
          move(say`In order`, () => inOrder(this.words))),
        h("fieldset", { className: "positions-ways" },
          h("legend", { className: "live-label" }, say`The encoder adds to a word`), ...ways),
        h("fieldset", { className: "positions-ways" }, h("legend", { className: "live-label" }, say`The decoder`),
          h("label", {}, this.decoder, say` adds positions to what it has written`)),
        label(say`In order and with positions the model writes`), this.whole,
        label(say`As it stands now it writes`), this.found, this.tried,
        h("p", { className: "live-note" }, say`Words that are new are underlined, words that are gone struck out.`));
      this.spans = REST.spans;
      this.begin(SENTENCES[0].split(" "));
      this.showWords();
    }

    /** Take another sentence, in order. */
    begin(words) {
      Object.assign(this, { words, order: inOrder(words), chosen: null, results: {}, first: null });
      this.buttons = words.map((_, place) => h("button", {
        type: "button", className: "live-button positions-word", lang: "en", onclick: () => this.choose(place),
      }));
      this.row.replaceChildren(...this.buttons);
    }

    /** The first click chooses a place, the second exchanges the words of the two. */
    choose(place) {
      const [first, { order }] = [this.chosen, this];
      this.chosen = first === null ? place : null;
      if (first !== null && first !== place) [order[first], order[place]] = [order[place], order[first]];
      this.redraw();
    }

    redraw() {
      this.showWords();
      this.update();
    }

    showWords() {
      const given = {
        place: inOrder(firstPlaces(this.spans, this.order)), word: firstPlaces(this.spans, this.order), none: [],
      }[this.way];
      let start = 0;
      this.order.forEach((word, place) => {
        const [from, to] = this.spans[word];
        const numbers = given.slice(start, (start += to - from));
        this.buttons[place].replaceChildren(this.words[word],
          h("span", { className: "positions-number" }, numbers.length ? numbers.join(", ") : say`none`));
        this.buttons[place].setAttribute("aria-pressed", String(place === this.chosen));
      });
    }

    *draw(translator) {
      let text;
      try {
        text = sentenceIn(this.field, translator);
        translator.sourceIds(text); // or it is too long for anything below
      } catch (error) {
        this.begin([]);
        this.whole.textContent = this.found.textContent = this.tried.textContent = "";
        throw error;
      }
      if (text !== this.words.join(" ")) this.begin(text.split(" "));
      this.spans = translator.tokenizer.wordSpans(text);
      this.showWords();
      this.whole.textContent = this.found.textContent = this.tried.textContent = "";
      this.first ??= yield* translator.translate(text, GREEDY);
      this.whole.textContent = this.first.text;
      const [way, decoder, order] = [this.way, this.decoder.checked, [...this.order]];
      const hook = positioned(way, this.spans, order, decoder);
      const now = order.map((word) => this.words[word]).join(" ");
      const found = yield* translator.translate(now, { ...GREEDY, hook });
      this.found.replaceChildren(...compared(this.first.text, found.text));
      const tried = (this.results[`${way} ${decoder}`] ??= new Map()).set(now, found.text);
      const got = new Set(tried.values()).size;
      this.tried.textContent = say`With this setting you have tried ${tried.size} order${tried.size === 1 ? "" : "s"}
        and got ${got} ${got === 1 ? "translation" : "different translations"}.`;
      const doubts = remarks(found, translator);
      showDoubt(this.found, doubts);
      this.say([...readingRemarks(this.field, translator), ...doubts].join(" "));
    }
  }

  /** A translation with its changes marked, or the words that there are none. */
  function compared(before, after) {
    const note = h("span", { lang: language, className: "live-note" }, say`(unchanged)`);
    return [...marked(before, after), ...(before === after ? [note] : [])];
  }

  customElements.define("live-positions", LivePositions);
})();
