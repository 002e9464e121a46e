/**
 * Figure *Train and translate*: the curves of a recorded training are the bar that one slides along; above
 * them the same sentences, translated by the weights of each moment.
 *
 * The moments stand side by side, one as wide as the other, since most of what happens happens early.
 *
 * All of it stands in the record `translations_in_training`, which comes as a script
 * (book/_ext/live_records.py): {sentences, rows (a moment each), scores, curve}.
 */
"use strict";

(() => {
  const { LiveFigure, changes, h, once, player, records, say, svg } = AnnotatedTransformer;
  const record = records?.translations_in_training;
  if (!record) return; // the picture stays
  const { sentences, rows, curve } = record;
  const N = Number(/n:(\d+)/.exec(record.scores[0].signature)[1]);
  const FIRST = rows.findIndex(({ step }) => step === 200);
  const STEPS = rows.map(({ step }) => step);
  const EDGE = 8; // half of a slider's thumb, which stands over the moment
  const NARROW = 640; // pixels below which the curves are named above them
  const QUIET = 800; // milliseconds without a change until a screen reader hears the translation
  const LONGEST = 40; // letters of a translation that are shown; one that comes to no end has many

  /** Of each moment: what there is to show. */
  const MOMENTS = rows.map((row, i) => ({
    ...row,
    right: Math.round((record.scores[i].value * N) / 100),
    rate: curve.find(({ step }) => step === row.step)?.learning_rate,
    answers: row.translations.map((text, n) => compared(sentences[n].target, text)),
  }));

  /** A translation beside the right one: words as [kind, word], and how many of the right ones it has. */
  function compared(target, text) {
    const words = changes(target, text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
    const kept = words.filter(([kind]) => kind === "kept").length;
    return { text, words, kept, equal: text === target };
  }

  /** Which weights those of a moment are. */
  function name({ step, averaged }) {
    if (!step) return say`before the first update`;
    const after = say`after ${step.toLocaleString("en")} updates`;
    return averaged > 1 ? say`${after}, the mean of the last ${averaged} checkpoints` : after;
  }

  class LiveTraining extends LiveFigure {
    static model = null;
    static wide = true;

    build(stage) {
      this.chosen = 0;
      this.name = h("span", {});
      this.lines = sentences.map((_, i) => h("button", {
        type: "button", className: "live-button training-line",
        onclick: () => { this.chosen = i; this.update(); },
      }));
      this.counted = h("span", { className: "training-counted" });
      this.gloss = h("div", { className: "training-gloss" });
      this.numbers = h("ul", { className: "training-numbers" });
      this.picture = svg("svg", { role: "img", class: "training-picture" });
      this.spoken = h("p", { className: "live-hidden", lang: "ko", "aria-live": "polite" });
      this.player = player(say`Moment`, { min: 0, max: MOMENTS.length - 1, value: FIRST }, (byHand) => {
        this.byHand = byHand;
        this.update();
      }, this.picture);
      this.slider = this.player.input;
      stage.append(
        h("p", { className: "training-head" }, say`The weights `, this.name, this.counted),
        h("p", { className: "wide-hint" },
          say`Underlined words are wrong or out of place. Choose a sentence to see what is right: dashed words are missing.`),
        h("div", { className: "training-lines" }, ...this.lines), this.player.element,
        h("details", { className: "wide-more live-only" }, h("summary", {}, say`The numbers of this moment`), this.numbers,
          h("p", { className: "live-note" }, say`Frequent words are the 20 most frequent Korean words of the training data, rare
            ones all beyond the 500 most frequent. In these two shares a word counts wherever it stands. In the eight
            sentences it must also be in the right order. The same record has two more runs.`)),
        this.spoken);
      this.show();
      new ResizeObserver(() => this.drawCurves()).observe(this.player.element);
      once(this, this.player.element, () => this.player.play(this.slider.value));
    }

    *draw() {
      this.show();
      clearTimeout(this.timer);
      if (this.byHand === false) return; // while it plays nothing is said
      const { text } = this.moment.answers[this.chosen];
      this.timer = setTimeout(() => { this.spoken.textContent = text; }, QUIET);
    }

    get moment() {
      return MOMENTS[Number(this.slider.value)];
    }

    show() {
      const { moment } = this;
      const right = moment.answers.filter(({ equal }) => equal).length;
      this.name.textContent = name(moment);
      this.counted.textContent = say`Right: ${right} of these ${sentences.length}`;
      this.slider.setAttribute("aria-valuetext", say`${name(moment)}: ${right} of ${sentences.length} sentences right`);
      this.lines.forEach((line, i) => {
        line.setAttribute("aria-pressed", String(i === this.chosen));
        line.replaceChildren(...translation(sentences[i], moment.answers[i]));
      });
      this.lines[this.chosen].after(this.gloss);
      this.gloss.replaceChildren(...glossed(sentences[this.chosen], moment.answers[this.chosen]));
      this.numbers.replaceChildren(...told(moment).map((text) => h("li", {}, text)));
      this.picture.setAttribute("aria-label", say`Loss, what is right and learning rate against the updates. ${told(moment).join(" ")}`);
      this.drawCurves();
    }

    drawCurves() {
      const { width } = this.picture.getBoundingClientRect();
      if (!width) return; // not on the screen yet
      this.picture.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
      this.picture.replaceChildren(...curves(this.moment, Number(this.slider.value), width));
    }
  }

  /** A sentence with its translation; words that the right one does not have are underlined. */
  function translation({ source, target }, { text, words, kept, equal }) {
    const all = target.split(" ").length;
    const shown = words.filter(([kind]) => kind !== "gone").flatMap(([kind, word]) =>
      [h(kind === "new" ? "ins" : "span", {}, word), " "]);
    return [
      h("span", { className: "training-source", lang: "en" }, source),
      h("span", { className: equal ? "training-right" : "training-count" },
        equal ? say`✓ right` : say`${kept} of ${all} words right`),
      text.trim() ? h("span", { className: "training-target", lang: "ko" }, ...shown)
        : h("span", { className: "training-target live-note" }, say`(no word: the model ends at once)`),
    ];
  }

  /** The right words above the English ones that they translate; those that are missing are dashed. */
  function glossed({ gloss }, { words }) {
    return words.filter(([kind]) => kind !== "new").map(([kind, word], i) => h("span",
      { className: `training-word training-${kind}` }, h("span", { lang: "ko" }, word),
      h("span", { lang: "en" }, gloss[i] || "\u00a0"),
      ...(kind === "gone" ? [h("span", { className: "live-hidden" }, say`(missing)`)] : [])));
  }

  /** The numbers of a moment, in sentences. */
  function told({ valid_loss, valid_accuracy, right, found, rate }) {
    return [
      say`Validation loss: ${valid_loss.toFixed(2)} nats for each token;
        given the correct beginning, ${(100 * valid_accuracy).toFixed(0)} % of the next tokens are guessed.`,
      say`Of ${N} validation sentences ${right} are right. Of the frequent words that should appear,
        ${found[0].toFixed(1)} % appear; of the rare ones, ${found.at(-1).toFixed(1)} %.`,
      rate === undefined ? say`No update was made yet.` : say`Learning rate: ${rate.toFixed(5)}.`,
    ];
  }

  const HEIGHT = 318;

  /** The place of an update among the moments, in between where no moment is. */
  function placeOf(step) {
    const after = STEPS.findIndex((one) => one >= step);
    return STEPS[after] === step ? after : after - 1 + (step - STEPS[after - 1]) / (STEPS[after] - STEPS[after - 1]);
  }

  /** Loss, what is right in percent, and rate at the moments, with a line where the chosen one stands. */
  function curves(moment, chosen, width) {
    const wide = width >= NARROW;
    const x = (place) => EDGE + ((width - 2 * EDGE) * place) / (MOMENTS.length - 1);
    const single = MOMENTS.filter(({ averaged }) => averaged === 1);
    const moments = (value) => single.map((one, place) => [place, value(one)]);
    const logged = (key) => curve.map((entry) => [placeOf(entry.step), entry[key]]);
    const most = (points) => Math.max(...points.map(([, value]) => value));
    const losses = moments((one) => one.valid_loss), rates = [[0, 0], ...logged("learning_rate")];
    const shares = [moments((one) => one.found[0]), moments((one) => one.found.at(-1)), moments((one) => (100 * one.right) / N)];
    const height = (top, bottom, highest) => (value) => bottom - ((bottom - top) * value) / highest;
    const loss = height(20, 108, most(losses)), share = height(156, 240, 100), rate = height(270, 296, most(rates));
    const line = (points, y, kind) => svg("path", {
      d: `M${points.map(([place, value]) => `${x(place).toFixed(1)} ${y(value).toFixed(1)}`).join("L")}`,
      class: `training-curve ${kind}`,
    });
    const text = (x, y, words, anchor = "end", kind = "") => svg("text", { x, y, "text-anchor": anchor, class: kind }, words);
    // A curve's name stands where the curve comes to a half: before it and above, or behind it and below.
    const named = (words, points, [dx, dy, anchor]) => {
      const [place, value] = points.find(([, each]) => each >= 50);
      return text(x(place) + dx, share(value) + dy, words, anchor);
    };
    const at = x(chosen), side = chosen > MOMENTS.length / 2 ? [-9, "end"] : [9, "start"];
    // What stands beside the moment is above both curves of the loss, as far as it reaches.
    const reach = [at - 9, at + side[0] * 9].sort((a, b) => a - b);
    const top = Math.min(...[...losses, ...logged("loss")].filter(([place]) => reach[0] <= x(place + 1) && x(place - 1) <= reach[1])
      .map(([, value]) => loss(value)));
    const dots = [loss(moment.valid_loss), share((100 * moment.right) / N), rate(moment.rate ?? 0)];
    const value = (y, words) => text(at + side[0], y, words, side[1], "training-value");
    const end = width - EDGE;
    return [
      ...[108, 240, 296].map((y) => svg("line", { x1: EDGE, y1: y, x2: end, y2: y, class: "training-axis" })),
      svg("line", { x1: at, y1: 8, x2: at, y2: 300, class: "training-now" }),
      line(logged("loss"), loss, "training-thin"), line(losses, loss, ""),
      line(shares[0], share, "training-dashed"), line(shares[1], share, "training-dotted"), line(shares[2], share, ""),
      line(rates, rate, ""),
      ...dots.map((y) => svg("circle", { cx: at, cy: y, r: 5 })),
      value(top - 7, say`loss ${moment.valid_loss.toFixed(2)}`),
      ...(wide ? [value(150, say`${((100 * moment.right) / N).toFixed(0)}\u00a0% of the sentences`)] : []),
      text(end, 24, say`validation loss (thin: training)`), text(end, 264, say`learning rate`),
      ...(wide ? [named(say`frequent words`, shares[0], [-10, 6, "end"]), named(say`rare words`, shares[1], [-8, -5, "end"]),
        named(say`whole sentences`, shares[2], [4, 20, "start"])]
        : [text(end, 130, say`sentences right, in %`), text(end, 146, say`(dashed: frequent words, dotted: rare)`)]),
      ...(wide && chosen < 4 ? [] : [text(EDGE, 150, say`100 %`, "start")]), // there stands the value
      text(EDGE, 314, say`0 updates`, "start"), text(x(placeOf(400)), 314, "400", "middle"), text(end, 314, STEPS.at(-1).toLocaleString("en")),
    ];
  }

  customElements.define("live-training", LiveTraining);
})();
