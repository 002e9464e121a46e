/**
 * Figure *Decoding*: the beam as a river that runs from left to right, on a phone from top to bottom.
 *
 * Each place is a beginning that was kept, each stream joins it to the one that it continues and is as
 * wide as its share of what the beam holds at that step. Where no stream goes on, it fades. What became
 * of the best continuations of a step stands in a table to unfold (beam.py).
 */
"use strict";

(() => {
  const { LiveFigure, h, lengthPenalty, player, readingRemarks, remarks, say, sayWith, sentenceIn, showDoubt, svg, twoSentences } = AnnotatedTransformer;
  /** The first two are the misspelt ones of the chapter; the model is in doubt about them. */
  const SENTENCES = [
    "You do not wrtie the letter to the children",
    "The police ofifcer believes that this kitchen was clean",
    "The doctor met the judge who rode the camel",
    "Anna bought three books and two apples",
  ];
  const EOS = "</s>";
  const WIDEST = 26; // pixels of the whole river
  const NARROW = 640; // pixels of the picture below which it runs downwards
  /** Of the way, how far a stream still goes straight on: with half of it a wide one would turn so sharply that it tears. */
  const STRAIGHT = 0.9;
  const ALPHAS = [0, 0.2, 0.4, 0.6, 0.8, 1, 1.5, 2];
  const shown = (number) => number.toFixed(2).replace("-", "\u2212");
  const percent = (share) => (share < 0.005 ? say`<1\u00a0%` : say`${Math.round(100 * share)}\u00a0%`);

  class LiveDecoding extends LiveFigure {
    static wide = true;

    build(stage) {
      const again = () => {
        this.player.stop();
        this.last = Infinity;
        this.update();
      };
      const { field, output, hint, element, tries } = twoSentences(SENTENCES, again, this.status);
      Object.assign(this, { field, output });
      hint.textContent = say`A stream is as wide as its share of the beam’s probability. Violet leads to the best finished translation.`;
      const select = (name, values, value) => h("select", { "aria-label": name, onchange: again },
        ...values.map((one) => h("option", { value: one, selected: one === value }, String(one))));
      this.size = select(say`Beam size`, [1, 2, 3, 4, 5], 4);
      this.alpha = select(say`Length penalty α`, ALPHAS, 0.6);
      this.player = player(say`Step`, { min: 1, max: 1, value: 1 }, (byHand) => {
        this.last = Number(this.player.input.value);
        this.showStep();
        if (byHand) this.answer.textContent = this.inWords(this.last);
      });
      this.tree = svg("svg", { role: "img" });
      this.answer = h("p", { className: "live-hidden", "aria-live": "polite" });
      this.finished = h("ol", {});
      this.name = h("summary", {});
      this.table = h("details", { className: "wide-more decoding-table live-only" }, this.name);
      this.river = h("div", { className: "decoding-river" }, this.tree);
      this.whole = h("div", {},
        this.river, this.player.element, h("label", { className: "decoding-mouth" }, say`Beam size`, " ", this.size),
        h("div", { className: "decoding-ends" },
          h("div", { className: "live-label" }, ...sayWith`Finished so far, best score first: log P ÷ length penalty with ${
            h("label", {}, "α ", this.alpha)}`), this.finished), this.table);
      stage.append(element, this.whole, tries, this.answer);
      this.show(atRest());
      new ResizeObserver(() => this.drawRiver()).observe(this.river);
    }

    *draw(translator) {
      const [size, alpha] = [this.size, this.alpha].map(({ value }) => Number(value));
      const { pieces } = translator.tokenizer;
      const steps = [];
      let next;
      try {
        const search = translator.translate(sentenceIn(this.field, translator), { size, alpha });
        for (next = search.next(); !next.done; next = search.next()) {
          steps.push(snapshot(next.value, steps.at(-1), pieces, (ids) => translator.tokenizer.decode(ids)));
          yield;
        }
      } catch (error) {
        this.clear();
        throw error;
      }
      this.show({ steps, text: next.value.text });
      const doubts = remarks(next.value, translator);
      showDoubt(this.output, doubts);
      this.say([...readingRemarks(this.field, translator), ...doubts].join(" "));
    }

    /** Show nothing, as long as the field has no sentence that can be read. */
    clear() {
      this.player.stop();
      this.whole.hidden = true;
      this.answer.textContent = this.output.textContent = "";
    }

    show({ steps, text }) {
      Object.assign(this, { steps, text });
      this.whole.hidden = false;
      const { input } = this.player;
      input.max = String(steps.length);
      input.value = String(Math.min(this.last ?? Infinity, steps.length));
      this.answer.textContent = say`The best translation is ${text}.`;
      this.drawRiver();
    }

    /** What a step has done, for a reader who hears it. */
    inWords(step) {
      const { kept, finished } = this.steps[step - 1];
      const beginnings = kept.length ? say`keeps ${kept.map(({ token }) => token).join(", ")}` : say`keeps nothing`;
      return say`Step ${step} ${beginnings}. ${finished.length} finished.`;
    }

    /** Lay the river out over the width that there is; all steps are there, the later ones unseen. */
    drawRiver() {
      const room = this.river.clientWidth;
      if (!room) return; // not on the screen yet
      const { steps } = this;
      const down = room < NARROW;
      const beam = Math.max(...steps.map(({ kept }) => kept.length), 1);
      const grown = steps.filter(({ kept }) => kept.length).length;
      const lettersOf = (some) => Math.max(...some.flatMap(({ kept }) => kept.map(({ token }) => [...token].length)), 2);
      // Across or along, a token has 13 pixels for each of its syllables. Steps have the same room, or each what it needs.
      const needs = [54, ...steps.slice(0, grown).map((step) => 13 * lettersOf([step]) + 16)];
      const equal = (room - 36) / needs.length;
      const spare = Math.max(0, equal - needs.reduce((a, b) => a + b, 0) / needs.length);
      const rooms = needs.map((need) => (Math.max(...needs) > equal ? need + spare : equal));
      const middles = rooms.map((one, step) => rooms.slice(0, step).reduce((a, b) => a + b, one / 2));
      const along = 64; // downwards
      const across = down ? Math.max((room - WIDEST) / beam, 13 * Math.max(lettersOf(steps), 4) + 8) : 68;
      const place = (step, rank) => (down ? [across * rank + 14, along * step + 22] : [middles[step], across * rank + 38]);
      const start = place(0, 0);
      const streams = [], labels = [];
      const label = ([x, y], token, share, step) => {
        const [left, top, below] = down ? [x + Math.max(5, WIDEST * (share ?? 1) / 2) + 4, y - 2, y + 14] : [x, y - 16, y + 27];
        labels.push(svg("g", { class: "decoding-place", "data-step": step }, svg("text", { x: left, y: top, lang: "ko" }, token),
          ...(share === undefined ? [] : [svg("text", { x: left, y: below, class: "decoding-share" }, percent(share))])));
      };
      const stream = ([x, y], [X, Y], width, step, rank, more = "") => {
        const [dx, dy] = down ? [0, STRAIGHT * (Y - y)] : [STRAIGHT * (X - x), 0];
        streams.push(svg("path", { d: `M${x} ${y}C${x + dx} ${y + dy} ${X - dx} ${Y - dy} ${X} ${Y}`, pathLength: 1,
          class: `decoding-stream ${more}`, "stroke-width": Math.max(1, WIDEST * width).toFixed(1), "data-step": step, "data-rank": rank }));
      };
      label(start, say`(empty)`, undefined, 0);
      const ends = new Map(this.steps.at(-1).finished.map(({ path }) => [`${path.length - 1} ${path.at(-1)}`, path.length]));
      steps.forEach(({ kept }, step) => {
        const shares = sharesOf(kept);
        kept.forEach(({ parent, token, total }, rank) => {
          const at = place(step + 1, rank);
          stream(step ? place(step, parent) : start, at, shares[rank], step + 1, rank);
          label(at, token, shares[rank], step + 1);
          labels.at(-1).append(svg("title", {}, `log P ${shown(total)}`));
          const on = steps[step + 1]?.kept.some((one) => one.parent === rank);
          const over = ends.get(`${step} ${rank}`);
          if (over) {
            const [x, y] = at;
            const past = on ? 0 : 16;
            const dot = down ? { cx: x, cy: y + past } : { cx: x + past, cy: y };
            labels.push(svg("circle", { ...dot, r: 5, class: "decoding-end", "data-step": over + 1 }, svg("title", {}, say`finished`)));
          } else if (!on && step + 1 < grown) {
            const [x, y] = at;
            // Not quite level: the fading is measured in the stream's own box, which has to have a height.
            stream(at, down ? [x + 0.1, y + along * 0.45] : [x + rooms[step + 1] * 0.45, y + 0.1], shares[rank], step + 2, rank, "decoding-fading");
          }
        });
      });
      const width = Math.max(room, down ? across * beam + WIDEST : middles.at(-1) + rooms.at(-1) / 2 + 36);
      const height = down ? along * (grown + 1) : across * beam + 10;
      this.tree.classList.toggle("decoding-down", down);
      this.tree.setAttribute("viewBox", `0 0 ${width} ${height}`);
      this.tree.setAttribute("width", width);
      this.tree.setAttribute("height", height);
      const fade = svg("linearGradient", { id: "decoding-fade", ...(down ? { x2: 0, y2: 1 } : {}) },
        svg("stop", { class: "decoding-from" }), svg("stop", { offset: 1, class: "decoding-to" }));
      this.tree.replaceChildren(svg("defs", {}, fade), ...streams, ...labels);
      this.middles = middles;
      this.showStep();
    }

    showStep() {
      const at = Number(this.player.input.value);
      const middle = this.middles?.[Math.min(at, this.middles.length - 1)]; // a step beyond the edge comes into view
      if (middle) this.river.scrollLeft = middle + 70 - this.river.clientWidth;
      const { rows, kept, finished } = this.steps[at - 1];
      const best = finished[0]?.path ?? [];
      this.player.tell(say`${at} of ${this.steps.length}`);
      for (const part of this.tree.querySelectorAll("[data-step]")) {
        const { step, rank } = part.dataset;
        part.classList.toggle("decoding-later", Number(step) > at);
        part.classList.toggle("decoding-best", !part.matches(".decoding-fading") && best[step - 1] === Number(rank));
      }
      this.tree.setAttribute("aria-label", say`A river of ${at} steps. The best translation is ${this.text}.`);
      this.output.textContent = finished[0]?.text ?? this.beginning(at, kept);
      this.name.textContent = say`Step ${at}: the best continuations, log P`;
      this.table.replaceChildren(this.name,
        h("table", {}, h("thead", {}, h("tr", {}, ...[say`beginning`, say`token`, say`sum`, say`fate`].map((name) =>
          h("th", { scope: "col" }, name)))),
        h("tbody", {}, ...rows.map((row) => h("tr", { className: `decoding-${row.fate}` },
          h("td", { lang: "ko" }, `${row.before || say`(empty)`} ${shown(row.from)}`),
          h("td", { lang: "ko" }, `${row.token} ${shown(row.total - row.from)}`),
          h("td", {}, shown(row.total)), h("td", {}, FATES[row.fate]))))));
      this.finished.replaceChildren(...finished.map((one) => h("li", {}, h("span", { lang: "ko" }, one.text),
        say` (score ${shown(one.score)}, log P ${shown(one.logProbability)})`)));
    }

    /** The best beginning of a step at which nothing is finished yet. */
    beginning(at, kept) {
      const tokens = [];
      for (let step = at - 1, rank = 0; step >= 0; rank = this.steps[step--].kept[rank].parent) {
        if (!kept.length) break;
        tokens.unshift(this.steps[step].kept[rank].token);
      }
      return `${tokens.join("").replaceAll("▁", " ").trim()} …`;
    }
  }

  /** Of each beginning that was kept, its share of the probability that they have together. */
  function sharesOf(kept) {
    const powers = kept.map(({ total }) => Math.exp(total - kept[0].total));
    const sum = powers.reduce((a, b) => a + b, 0);
    return powers.map((power) => power / sum);
  }

  const FATES = { kept: say`kept`, ended: say`finished`, hopeless: say`cannot win`, dropped: say`dropped` };

  /** The best continuations, so far as their order is sure: each beginning gave its best size + 1 only. */
  function inOrder({ extended, size }) {
    const given = {};
    const after = extended.findIndex(([, parent]) => (given[parent] = (given[parent] ?? 0) + 1) > size);
    return extended.slice(0, Math.min(after + 1 || Infinity, size + 3));
  }

  /** What a step has done: the beginnings kept, the best continuations, and all that is finished so far. */
  function snapshot(beam, before, pieces, decode) {
    const old = before?.kept ?? [{ ids: [], total: 0, path: [] }];
    const kept = beam.prefixes.map(({ ids, total, parent }, rank) =>
      ({ ids, total, parent, token: pieces[ids.at(-1)], path: [...old[parent].path, rank] }));
    let grown = 0;
    const rows = inOrder(beam).map(([total, parent, id], rank) => {
      const token = pieces[id];
      const among = token === EOS ? rank < beam.size : grown++ < beam.size;
      const survives = kept.some((one) => one.parent === parent && one.ids.at(-1) === id);
      const fate = !among ? "dropped" : token === EOS ? "ended" : survives ? "kept" : "hopeless";
      const { ids, path, total: from } = old[parent];
      return { before: decode(ids), from, token, total, fate, path, length: ids.length + 1 };
    });
    const more = rows.filter(({ fate }) => fate === "ended").map(({ before: text, total, path, length }) =>
      ({ text, path, logProbability: total, score: total / lengthPenalty(length, beam.alpha) }));
    const finished = [...(before?.finished ?? []), ...more].sort((a, b) => b.score - a.score);
    return { kept, rows, finished };
  }

  // The first sentence as the model searches, shown before it is there (tests/live/test_decoding.py).
  const KEPT = [ // of each step: token, log P, rank of the beginning that it continues
    [["▁너는", -0.11, 0], ["▁그는", -8.91, 0], ["▁아주", -8.99, 0], ["▁않을", -9.18, 0]],
    [["▁그", -0.22, 0], ["▁그", -9.02, 1], ["▁", -9.03, 0], ["▁나는", -9.1, 0]],
    [["▁아이", -0.29, 0], ["수", -7.11, 0], ["가", -7.41, 0], ["사", -7.46, 0]],
    [["들에게", -0.37, 0], ["에게", -6.74, 0], ["들에게", -7.2, 1], ["들", -7.36, 0]],
    [["▁과", -2.57, 0], ["▁편지를", -2.99, 0], ["▁파", -3.9, 0], ["▁책", -4.47, 0]],
    [["자를", -2.85, 0], ["▁쓰", -3.27, 1], ["이를", -4.39, 2], ["을", -4.6, 3]],
    [["지", -3.37, 1], ["▁쓰", -3.61, 0], ["▁쓰", -5.12, 2], ["▁쓰", -5.4, 3]],
    [["▁않는다", -3.51, 0], ["지", -3.72, 1], ["지", -5.23, 2], ["지", -5.51, 3]],
    [["▁않는다", -3.89, 1], ["▁않는다", -5.39, 2], ["▁않는다", -5.66, 3], ["▁않았다", -8.4, 1]],
    [],
  ];
  const ROWS = [ // of the last step
    ["너는 그 아이들에게 과자를 쓰지 않는다", -3.89, "</s>", -3.99, "ended"],
    ["너는 그 아이들에게 파이를 쓰지 않는다", -5.39, "</s>", -5.49, "ended"],
    ["너는 그 아이들에게 책을 쓰지 않는다", -5.66, "</s>", -5.76, "ended"],
    ["너는 그 아이들에게 과자를 쓰지 않았다", -8.4, "</s>", -8.51, "ended"],
    ["너는 그 아이들에게 과자를 쓰지 않는다", -3.89, "▁the", -13.78, "hopeless"],
    ["너는 그 아이들에게 과자를 쓰지 않는다", -3.89, "s", -13.82, "hopeless"],
    ["너는 그 아이들에게 과자를 쓰지 않는다", -3.89, "▁그녀는", -13.86, "hopeless"],
  ];
  const FINISHED = [
    ["너는 그 아이들에게 편지를 쓰지 않는다", -2.17, -3.61, [0, 0, 0, 0, 1, 1, 0, 0]],
    ["너는 그 아이들에게 과자를 쓰지 않는다", -2.3, -3.99, [0, 0, 0, 0, 0, 0, 1, 1, 0]],
    ["너는 그 아이들에게 파이를 쓰지 않는다", -3.17, -5.49, [0, 0, 0, 0, 2, 2, 2, 2, 1]],
    ["너는 그 아이들에게 책을 쓰지 않는다", -3.33, -5.76, [0, 0, 0, 0, 3, 3, 3, 3, 2]],
    ["너는 그 아이들에게 과자를 쓰지 않았다", -4.91, -8.51, [0, 0, 0, 0, 0, 0, 1, 1, 3]],
    ["너는", -8.19, -8.98, [0]],
  ];

  function atRest() {
    const steps = KEPT.map((kept) =>
      ({ kept: kept.map(([token, total, parent]) => ({ token, total, parent })), rows: [], finished: [] }));
    Object.assign(steps.at(-1), {
      rows: ROWS.map(([before, from, token, total, fate]) => ({ before, from, token, total, fate })),
      finished: FINISHED.map(([text, score, logProbability, path]) => ({ text, score, logProbability, path })),
    });
    return { steps, text: FINISHED[0][0] };
  }

  AnnotatedTransformer.beamSnapshot = snapshot;
  customElements.define("live-decoding", LiveDecoding);
})();
