/**
 * Figure *Positions*: change the order of the words, and which positions are added to them.
 *
 * A word keeps its tokens wherever it goes. Which row of the sinusoids each token gets is chosen: that
 * of its place, as in the paper, that of its first place, or none. The end of the sentence stays last.
 * Translations are greedy. A word is dragged to another place, or changes places with another by two
 * clicks; the strip of a position stays where it is, or goes along with its word.
 */
"use strict";

(() => {
  const {
    LiveFigure, h, language, marked, readingRemarks, remarks, say, sentenceField, sentenceIn, showDoubt, sinusoids, svg,
  } = AnnotatedTransformer;
  const SENTENCES = [
    "The dog saw the cat",
    "Anna likes Tom",
    "My sister gave the teacher a book",
    "Anna bought three books and two apples",
  ];
  /** The first as the model translates it, before it is there (tests/live/test_positions.py). */
  const REST = { text: "그 개는 그 고양이를 봤다", spans: [[0, 1], [1, 2], [2, 4], [4, 5], [5, 6]] };
  const GREEDY = { size: 1, alpha: 0 };
  /** What the Korean of an example means, for those who do not read any: pairs of Korean and English. */
  const MEANING = {
    "The dog saw the cat": ["그", "the", "개", "dog", "고양이", "cat", "봤다", "saw"],
    "Anna likes Tom": ["안나", "Anna", "톰", "Tom", "좋아한다", "likes"],
    "My sister gave the teacher a book":
      ["내 여동생", "my younger sister", "선생님", "teacher", "책", "book", "줬다", "gave", "에게", "to"],
    "Anna bought three books and two apples":
      ["안나", "Anna", "책 세 권", "three books", "와", "and", "사과 두 개", "two apples", "샀다", "bought"],
  };
  const PARTICLES = ["은/는", "subject", "을/를", "object"];
  const WIDTH = 16; // numbers of a position that its strip shows, as in *Clocks*
  const LENGTH = 128; // positions of the model, and of the table that the strips are taken from
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

  /** The first numbers of a position as a strip of cells. */
  function strip(row) {
    const cells = Array.from(row, (value, n) => svg("rect", {
      x: n, y: 0, width: 1, height: 1, class: `positions-${value < 0 ? "below" : "above"}`,
      "fill-opacity": Math.abs(value).toFixed(2),
    }));
    return svg("svg", { viewBox: `0 0 ${row.length} 1`, preserveAspectRatio: "none", "aria-hidden": "true" }, ...cells);
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
    static wide = true;

    build(stage) {
      this.table = sinusoids(LENGTH, WIDTH);
      const { field, element } = sentenceField(SENTENCES, () => this.update(), this.status);
      this.field = field;
      this.row = h("div", { className: "positions-row", role: "group", "aria-label": say`The words in their order` });
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
      this.meaning = h("p", { className: "live-note" });
      stage.append(element,
        label(say`Drag a word, or choose two to exchange them`), this.row,
        h("div", { className: "live-row" },
          move(say`Shuffle`, () => shuffled(this.order, this.words)),
          move(say`Backwards`, () => [...this.order].reverse()),
          move(say`In order`, () => inOrder(this.words))),
        h("fieldset", { className: "positions-ways" },
          h("legend", { className: "live-label" }, say`The encoder adds to a word`), ...ways),
        h("fieldset", { className: "positions-ways" }, h("legend", { className: "live-label" }, say`The decoder`),
          h("label", {}, this.decoder, say` adds positions to what it has written`)),
        h("div", { className: "positions-sides" },
          h("div", {}, label(say`In order and with positions the model writes`), this.whole),
          h("div", {}, label(say`As it stands now it writes`), this.found, this.tried)),
        this.meaning);
      this.spans = REST.spans;
      this.begin(SENTENCES[0].split(" "));
      this.showWords();
    }

    /** Take another sentence, in order. */
    begin(words) {
      Object.assign(this, { words, order: inOrder(words), chosen: null, results: {}, first: null, shown: null });
      this.buttons = words.map((_, place) => h("button", {
        type: "button", className: "live-button positions-word", lang: "en", onclick: () => this.choose(place),
        onpointerdown: (event) => this.grasp(event, place),
        onpointermove: (event) => this.pull(event, place),
        onpointerup: (event) => this.drop(event, place),
        onpointercancel: () => this.letGo(place),
      }));
      this.row.replaceChildren(...this.buttons);
      const said = language === "en" && MEANING[words.join(" ")];
      this.meaning.replaceChildren(...(said ? [...said, ...PARTICLES] : []).flatMap((text, n) =>
        (n % 2 ? [` ${text}`] : [n ? " · " : "", h("span", { lang: "ko", className: "at-target" }, text)])));
    }

    grasp(event, place) {
      this.buttons[place].setPointerCapture(event.pointerId);
      this.held = { x: event.clientX, y: event.clientY, moved: false };
    }

    /** The word follows the pointer; less than a few pixels are those of a click. */
    pull(event, place) {
      const { held } = this;
      const button = this.buttons[place];
      if (!held || !button.hasPointerCapture(event.pointerId)) return;
      const [x, y] = [event.clientX - held.x, event.clientY - held.y];
      held.moved ||= Math.hypot(x, y) > 5;
      if (!held.moved) return;
      button.classList.add("positions-dragged");
      button.style.translate = `${x}px ${y}px`;
    }

    /** It stands before the word on which it is let go, if it came from behind that one, else after it. */
    drop(event, place) {
      if (!this.held?.moved) return;
      const distance = (button) => {
        const { left, right, top, bottom } = button.getBoundingClientRect();
        return Math.hypot(event.clientX - (left + right) / 2, event.clientY - (top + bottom) / 2);
      };
      this.buttons[place].style.translate = "";
      const far = this.buttons.map(distance);
      const to = far.indexOf(Math.min(...far));
      this.letGo(place);
      this.dropped = true; // the click that follows is no choice
      setTimeout(() => { this.dropped = false; });
      this.order.splice(to, 0, ...this.order.splice(place, 1));
      this.chosen = null;
      this.redraw();
    }

    letGo(place) {
      this.held = null;
      this.buttons[place].style.translate = "";
      this.buttons[place].classList.remove("positions-dragged");
    }

    /** The first click chooses a place, the second exchanges the words of the two. */
    choose(place) {
      if (this.dropped) return;
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
      const before = this.shown; // where the parts of each word stood
      let start = 0;
      this.shown = this.order.map((word, place) => {
        const [from, to] = this.spans[word];
        const numbers = given.slice(start, (start += to - from));
        const parts = [h("span", {}, this.words[word]),
          h("span", { className: "positions-number" }, numbers.length ? numbers.join(", ") : say`none`,
            ...numbers.map((number) => strip(this.table.row(number))))];
        this.buttons[place].replaceChildren(...parts);
        this.buttons[place].setAttribute("aria-pressed", String(place === this.chosen));
        return { word, parts };
      });
      if (before && !matchMedia("(prefers-reduced-motion: reduce)").matches) this.slide(before);
      for (const part of this.shown) part.at = part.parts.map((element) => this.placeOf(element));
    }

    /** Where a part stands in the row of words. */
    placeOf(element) {
      const [box, row] = [element, this.row].map((part) => part.getBoundingClientRect());
      return [box.left - row.left, box.top - row.top];
    }

    /** Let each word come from where it stood; its strip too, where a word keeps its position. */
    slide(before) {
      for (const { word, parts } of this.shown) {
        const old = before.find((part) => part.word === word);
        parts.slice(0, this.way === "word" ? 2 : 1).forEach((element, n) => {
          const now = this.placeOf(element);
          const [x, y] = old.at[n].map((place, axis) => place - now[axis]);
          if (Math.abs(x) + Math.abs(y) < 2) return;
          element.animate([{ translate: `${x}px ${y}px` }, { translate: "0 0" }], { duration: 300, easing: "ease-in-out" });
        });
      }
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
