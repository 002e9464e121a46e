/**
 * Figure *Merges*: a text of the reader's own from characters to tokens, one merge at a time.
 *
 * Of all neighbours that can be joined, those come next that were learned first, as sentencepiece has
 * it (tokenizer.js, `joins`). A merge is named by its number in the order of learning, which stands on
 * each joint where there is one: the least is next.
 */
"use strict";

(() => {
  const { BadInput, FIRST_MERGE, LiveFigure, SPACE_MARK, checkText, codeOf, h, say, slider } = AnnotatedTransformer;
  const TEXTS = ["나는 학생이다", "선생님과 학생은", "The singers met the farmers", "unbelievable", "나는 漢字를 읽었다 😀"];
  const LONGEST = 120; // characters
  const PACE = 1100; // milliseconds a merge while it plays
  /** What the first text comes to, before the pieces are there (tests/live/test_merges.py). */
  const REST = {
    joins: [[6, 51], [0, 52], [0, 66], [1, 548], [1, 883]],
    ranks: { "▁나": 52, "나는": 404, "▁학": 548, "이다": 51, "▁나는": 66, "▁학생": 883 }, merges: 1980, pieces: 3000,
    tokens: [["▁나는", 325], ["▁학생", 1142], ["이다", 310]], strange: [],
  };

  const charactersOf = (text) => [...SPACE_MARK + text.replaceAll(" ", SPACE_MARK)];
  const languageOf = (text) => (/\p{Script=Hangul}/u.test(text) ? "ko" : "en");
  const many = (number) => number.toLocaleString("en");

  /** The parts of a text before each join, with its place and number, and after the last one. */
  function statesOf(text, joins) {
    let parts = charactersOf(text);
    const states = joins.map(([place, number]) => {
      const state = { parts, place, number };
      parts = [...parts.slice(0, place), parts[place] + parts[place + 1], ...parts.slice(place + 2)];
      return state;
    });
    return [...states, { parts }];
  }

  /** The numbers of all pairs that ever stand beside each other and are merges. */
  function ranksOf(states, numberOf) {
    const pairs = states.flatMap(({ parts }) => parts.slice(1).map((part, i) => parts[i] + part));
    const known = [...new Set(pairs)].map((piece) => [piece, numberOf(piece)]);
    return Object.fromEntries(known.filter(([, number]) => number));
  }

  /** The same of any text as in REST. */
  function cut(text, tokenizer) {
    const { ids, pieces } = tokenizer;
    const parts = charactersOf(text), joins = [];
    const strange = [...new Set(parts.filter((character) => !ids.has(character)))];
    const numberOf = (piece) => (ids.has(piece) ? ids.get(piece) - FIRST_MERGE + 1 : 0);
    for (const place of tokenizer.joins(parts)) joins.push([place, numberOf(parts[place] + parts[place + 1])]);
    return {
      joins, ranks: ranksOf(statesOf(text, joins), numberOf), strange, pieces: pieces.length,
      merges: [...ids.keys()].filter((piece) => [...piece].length > 1).length,
      tokens: tokenizer.encode(text).map((id) => [pieces[id], id]),
    };
  }

  class LiveMerges extends LiveFigure {
    static wide = true;

    build(stage) {
      this.field = h("input", { type: "text", className: "live-field", value: TEXTS[0], lang: languageOf(TEXTS[0]),
        spellcheck: false, autocomplete: "off", oninput: () => this.update() });
      const tries = TEXTS.map((text) => h("button", { type: "button", className: "live-button", lang: languageOf(text), onclick: () => {
        this.field.value = text;
        this.update();
      } }, text));
      this.pieces = h("ol", { className: "merges-pieces", "aria-label": say`The pieces` });
      this.next = h("p", { className: "merges-next-one", "aria-live": "polite" });
      this.done = slider(say`Merges done:`, { min: 0 }, () => {
        this.pause();
        this.go(Number(this.done.input.value));
      });
      const go = (name, by) => h("button", { type: "button", className: "live-button", onclick: () => {
        this.pause();
        this.go(this.step + by);
      } }, name);
      [this.backward, this.onward] = [go(say`Back`, -1), go(say`Next merge`, 1)];
      this.play = h("button", { type: "button", className: "live-button merges-play", onclick: () => this.toggle() }, say`Play`);
      stage.append(
        h("div", { className: "live-sentence" },
          h("label", { className: "live-label" }, say`A text, in English or Korean`, this.field), this.status,
          h("div", { className: "live-row" }, ...tries)),
        this.pieces, this.next,
        h("div", { className: "live-row merges-steps" }, this.play, this.backward, this.onward, this.done.element));
      this.take(TEXTS[0], REST);
    }

    /** Play to the tokens, from the characters where it stands there already; or pause. */
    toggle() {
      if (this.playing) {
        this.pause();
        return;
      }
      if (this.step === this.found.joins.length) this.go(0);
      this.next.setAttribute("aria-live", "off");
      this.play.textContent = say`Pause`;
      this.playing = setInterval(() => {
        this.go(this.step + 1);
        if (this.step === this.found.joins.length) this.pause();
      }, PACE);
    }

    pause() {
      clearInterval(this.playing);
      this.playing = null;
      this.next.setAttribute("aria-live", "polite");
      this.play.textContent = say`Play`;
    }

    /** Show another text from its characters on. */
    take(text, found) {
      this.pause();
      Object.assign(this, { text, found, states: statesOf(text, found.joins), at: new Map() });
      this.done.input.max = found.joins.length;
      this.done.input.disabled = !found.joins.length;
      this.go(0);
    }

    /** Show nothing, as long as the field has no text that can be cut. */
    clear() {
      this.take("", { ...REST, joins: [], tokens: [], strange: [] });
      this.text = null;
      this.next.textContent = "";
    }

    go(step) {
      this.step = Math.max(0, Math.min(step, this.found.joins.length));
      const { merges, joins, tokens, strange } = this.found;
      const { parts, place, number } = this.states[this.step];
      this.done.input.value = this.step;
      this.done.tell(say`${this.step} of ${joins.length}`);
      const last = this.step === joins.length;
      // Not `disabled`: that would take the focus away from a reader who pressed the button with a key.
      this.onward.setAttribute("aria-disabled", String(last));
      this.play.setAttribute("aria-disabled", String(!joins.length));
      this.backward.setAttribute("aria-disabled", String(this.step === 0));
      this.pieces.replaceChildren(...(last
        ? tokens.map(([piece, id]) => h("li", { className: id < FIRST_MERGE ? "merges-strange" : "" },
          piece, h("span", { className: "merges-id" }, String(id))))
        : parts.map((part, i) => h("li", {
          className: i === place || i === place + 1 ? "merges-next" : strange.includes(part) ? "merges-strange" : "",
          ...this.joint(part + parts[i + 1], i === place),
        }, part))));
      this.slide(last ? tokens.map(([piece]) => piece) : parts);
      this.next.textContent = last
        ? (tokens.length === 1 ? say`No two neighbours can be joined any more. This is the token, with its id.`
          : say`No two neighbours can be joined any more. These are the ${tokens.length} tokens, with their ids.`)
        : say`Next: ${parts[place]} + ${parts[place + 1]} → ${parts[place]}${parts[place + 1]},
          learned as number ${many(number)} of ${many(merges)}.`;
    }

    /** The number of the merge that could join a piece with the next one; style sheets show it. */
    joint(pair, best) {
      const number = this.found.ranks[pair];
      return number ? { "data-rank": many(number), ...(best ? { "data-best": "" } : {}) } : {};
    }

    /** Let each piece come from where it stood, and the letters of a new one slide together. */
    slide(parts) {
      const before = this.at;
      this.at = new Map();
      let start = 0;
      parts.forEach((part, i) => {
        const item = this.pieces.children[i];
        const place = [item.offsetLeft, item.offsetTop];
        this.at.set(start, { part, place });
        const old = before.get(start);
        start += [...part].length;
        if (!old || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
        const [x, y] = old.place.map((was, axis) => was - place[axis]);
        const apart = old.part.length < part.length ? { letterSpacing: "1rem" } : {};
        const together = old.part.length < part.length ? { letterSpacing: "0" } : {};
        item.animate([{ translate: `${x}px ${y}px`, ...apart }, { translate: "0 0", ...together }],
          { duration: 400, easing: "ease-in-out" });
      });
    }

    *draw({ tokenizer }) {
      const text = this.field.value;
      if (text !== this.text) {
        this.clear();
        check(text);
        this.field.lang = languageOf(text);
        this.take(text, cut(text, tokenizer));
      } else if (this.found === REST) this.found = cut(text, tokenizer); // the same; somebody may play it
      const { strange, pieces } = this.found;
      if (strange.length) {
        const names = strange.map((character) => `${character} (${codeOf(character)})`).join(", ");
        this.say(say`Not among the ${many(pieces)} pieces, and so written as bytes: ${names}.`);
      }
    }
  }

  function check(text) {
    if (!text.trim()) throw new BadInput(say`Write a text, or choose one of the examples.`);
    try {
      checkText(text);
    } catch (error) {
      throw new BadInput(say`The tokenizer cannot keep this text: ${error.message}.`);
    }
    const length = [...text].length;
    if (length > LONGEST) {
      throw new BadInput(say`This text has ${many(length)} characters, and the figure shows at most ${LONGEST}.`);
    }
  }

  customElements.define("live-merges", LiveMerges);
})();
