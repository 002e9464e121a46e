/**
 * Figure *Decoding*: the beam as a growing tree, step by step.
 *
 * Every row of the tree is a step, every box a beginning that was kept, joined to the one that it
 * continues. Beside it stand the best continuations of one step, and what became of each (beam.py).
 */
"use strict";

(() => {
  const { LiveFigure, h, lengthPenalty, readingRemarks, remarks, say, sentenceField, sentenceIn, slider, svg } = AnnotatedTransformer;
  /** The first two are the misspelt ones of the chapter; the model is in doubt about them. */
  const SENTENCES = [
    "You do not wrtie the letter to the children",
    "The police ofifcer believes that this kitchen was clean",
    "The doctor met the judge who rode the camel",
    "Anna bought three books and two apples",
  ];
  const EOS = "</s>";
  const COLUMN = 92, ROW = 46;
  const shown = (number) => number.toFixed(2).replace("-", "\u2212");

  class LiveDecoding extends LiveFigure {
    build(stage) {
      const again = () => { this.last = Infinity; this.update(); };
      const { field, element } = sentenceField(SENTENCES, again, this.status);
      this.field = field;
      this.size = slider(say`Beam size:`, { min: 1, max: 5, value: 4 }, () => { this.tell(); again(); });
      this.alpha = slider(say`Length penalty α:`, { min: 0, max: 2, step: 0.1, value: 0.6 }, () => { this.tell(); again(); });
      this.step = slider(say`Step:`, { min: 1, max: 1, value: 1 }, () => {
        this.last = Number(this.step.input.value);
        this.showStep();
        this.answer.textContent = this.inWords(this.last);
      });
      this.tree = svg("svg", { role: "img" });
      this.answer = h("p", { className: "live-hidden", "aria-live": "polite" });
      this.table = h("div", { className: "decoding-table" });
      this.finished = h("div", {});
      this.sides = h("div", { className: "decoding-sides" }, h("div", { className: "decoding-tree" }, this.tree),
        h("div", {}, this.table, this.finished));
      stage.append(element,
        h("div", { className: "decoding-sliders" }, ...[this.size, this.alpha, this.step].map((one) => one.element)),
        this.sides, this.answer);
      this.tell();
      this.show(atRest());
    }

    tell() {
      for (const { tell, input } of [this.size, this.alpha]) tell(input.value);
    }

    *draw(translator) {
      const [size, alpha] = [this.size, this.alpha].map(({ input }) => Number(input.value));
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
      this.say([...readingRemarks(this.field, translator), ...remarks(next.value, translator)].join(" "));
    }

    /** Show nothing, as long as the field has no sentence that can be read. */
    clear() {
      this.sides.hidden = this.step.input.disabled = true;
      this.step.tell("");
      this.answer.textContent = "";
    }

    show({ steps, text }) {
      Object.assign(this, { steps, text });
      const { input } = this.step;
      this.sides.hidden = input.disabled = false;
      input.max = String(steps.length);
      input.value = String(Math.min(this.last ?? Infinity, steps.length));
      this.answer.textContent = say`The best translation is ${text}.`;
      this.showStep();
    }

    /** What a step has done, for a reader who hears it. */
    inWords(step) {
      const { kept, finished } = this.steps[step - 1];
      const beginnings = kept.length ? say`keeps ${kept.map(({ token }) => token).join(", ")}` : say`keeps nothing`;
      return say`Step ${step} ${beginnings}. ${finished.length} finished.`;
    }

    showStep() {
      const at = Number(this.step.input.value);
      this.step.tell(say`${at} of ${this.steps.length}`);
      this.drawTree(at);
      const { rows, finished } = this.steps[at - 1];
      this.table.replaceChildren(
        h("p", { className: "live-label" }, say`Step ${at}: the best continuations, log P`),
        h("table", {}, h("thead", {}, h("tr", {}, ...[say`beginning`, say`token`, say`sum`, say`fate`].map((name) =>
          h("th", { scope: "col" }, name)))),
        h("tbody", {}, ...rows.map((row) => h("tr", { className: `decoding-${row.fate}` },
          h("td", { lang: "ko" }, `${row.before || say`(empty)`} ${shown(row.from)}`),
          h("td", { lang: "ko" }, `${row.token} ${shown(row.total - row.from)}`),
          h("td", {}, shown(row.total)), h("td", {}, FATES[row.fate]))))));
      this.finished.replaceChildren(
        h("p", { className: "live-label" }, finished.length ? say`Finished so far, by score` : say`Nothing is finished yet.`),
        h("ol", {}, ...finished.map((one) => h("li", {}, h("span", { lang: "ko" }, one.text),
          say` (score ${shown(one.score)}, log P ${shown(one.logProbability)})`))));
    }

    /** Boxes of the first `last` steps; those that lead to the best finished translation stand out. */
    drawTree(last) {
      const steps = this.steps.slice(0, last);
      const width = COLUMN * Math.max(...this.steps.map(({ kept }) => kept.length), 1);
      const height = ROW * (last + 1);
      const place = (step, rank) => [COLUMN * (rank + 0.5), ROW * (step + 0.5)];
      const best = steps.at(-1).finished[0]?.path ?? [];
      const lines = [], boxes = [];
      const box = ([x, y], text, total, on) => boxes.push(svg("g", { class: on ? "decoding-best" : "" },
        svg("rect", { x: x - 40, y: y - 16, width: 80, height: 32, rx: 4 }),
        svg("text", { x, y: total === undefined ? y + 5 : y - 2, lang: "ko" }, text),
        ...(total === undefined ? [] : [svg("text", { x, y: y + 12, class: "decoding-small" }, shown(total))])));
      box([width / 2, ROW / 2], say`(empty)`, undefined, best.length > 0);
      steps.forEach(({ kept }, step) => kept.forEach((prefix, rank) => {
        const on = best[step] === rank;
        const [x, y] = place(step + 1, rank);
        const [X, Y] = step ? place(step, prefix.parent) : [width / 2, ROW / 2];
        lines.push(svg("line", { x1: X, y1: Y + 16, x2: x, y2: y - 16, class: on ? "decoding-best" : "" }));
        box([x, y], prefix.token, prefix.total, on);
      }));
      this.tree.setAttribute("viewBox", `0 0 ${width} ${height}`);
      this.tree.style.maxWidth = `${width}px`;
      this.tree.setAttribute("aria-label", say`A tree of ${last} steps. The best translation is ${this.text}.`);
      this.tree.replaceChildren(...lines, ...boxes);
    }
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
