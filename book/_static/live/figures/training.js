/**
 * Figure *Train and translate*: slide through a recorded training; the same sentences, translated by the
 * weights of each moment, beside the loss, the number of right sentences and the learning rate.
 *
 * All of it stands in the record `translations_in_training`, which comes as a script
 * (book/_ext/live_records.py): {sentences, rows (a moment each), scores, curve}.
 */
"use strict";

(() => {
  const { LiveFigure, changes, h, records, say, svg } = AnnotatedTransformer;
  const record = records?.translations_in_training;
  if (!record) return; // the picture stays
  const { sentences, rows, curve } = record;
  const N = Number(/n:(\d+)/.exec(record.scores[0].signature)[1]);
  const FIRST = rows.findIndex(({ step }) => step === 200);
  const STEPS = rows.at(-1).step;
  const PACE = 700; // milliseconds for a moment while it plays
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

    build(stage) {
      this.chosen = 0;
      this.slider = h("input", {
        type: "range", min: 0, max: MOMENTS.length - 1, value: FIRST,
        oninput: () => { this.stop(); this.update(); },
      });
      this.name = h("span", {});
      this.player = h("button", { type: "button", className: "live-button", onclick: () => this.play() }, say`Play`);
      this.player.hidden = matchMedia("(prefers-reduced-motion: reduce)").matches;
      this.lines = sentences.map((_, i) => h("button", {
        type: "button", className: "live-button training-line",
        onclick: () => { this.chosen = i; this.update(); },
      }));
      this.counted = h("p", { className: "live-label" });
      this.gloss = h("div", { className: "training-gloss" });
      this.numbers = h("ul", { className: "training-numbers" });
      this.picture = svg("svg", { viewBox: "0 0 330 278", role: "img" });
      this.spoken = h("p", { className: "live-hidden", lang: "ko", "aria-live": "polite" });
      stage.append(
        h("label", { className: "live-label" }, say`The weights `, this.name, this.slider),
        h("div", { className: "live-row" }, this.player),
        h("div", { className: "training-sides" },
          h("div", {}, this.counted, h("p", { className: "live-note" },
            say`Underlined words are wrong or out of place. Choose a sentence to see what is right: dashed words are missing.`), ...this.lines),
          h("div", {}, this.picture, this.numbers)),
        this.spoken);
      this.show();
    }

    *draw() {
      this.show();
      clearTimeout(this.timer);
      const { text } = this.moment.answers[this.chosen];
      this.timer = setTimeout(() => { this.spoken.textContent = text; }, QUIET);
    }

    get moment() {
      return MOMENTS[Number(this.slider.value)];
    }

    /** Go on by itself to the end, from the beginning if it is there already. */
    play() {
      if (this.playing) return this.stop();
      if (this.slider.value === this.slider.max) this.slider.value = 0;
      this.player.textContent = say`Pause`;
      this.playing = setInterval(() => {
        this.slider.value = Number(this.slider.value) + 1;
        if (this.slider.value === this.slider.max) this.stop();
        this.update();
      }, PACE);
      this.update();
    }

    stop() {
      clearInterval(this.playing);
      this.playing = null;
      this.player.textContent = say`Play`;
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
      this.picture.replaceChildren(...curves(moment));
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

  /** Loss, what is right in percent, and rate over the same updates, with a line where the moment stands. */
  function curves(moment) {
    const x = (step) => 8 + (314 * step) / STEPS;
    const single = MOMENTS.filter(({ averaged }) => averaged === 1);
    const moments = (value) => single.map((one) => [one.step, value(one)]);
    const logged = (key) => curve.map((entry) => [entry.step, entry[key]]);
    const most = (points) => Math.max(...points.map(([, value]) => value));
    const losses = moments((one) => one.valid_loss), rates = [[0, 0], ...logged("learning_rate")];
    const height = (top, bottom, highest) => (value) => bottom - ((bottom - top) * value) / highest;
    const loss = height(20, 104, most(losses)), share = height(142, 202, 100), rate = height(228, 256, most(rates));
    const line = (points, y, kind) => svg("path", {
      d: `M${points.map(([step, value]) => `${x(step).toFixed(1)} ${y(value).toFixed(1)}`).join("L")}`,
      class: `training-curve ${kind}`,
    });
    const text = (x, y, words, anchor = "end") => svg("text", { x, y, "text-anchor": anchor }, words);
    const at = x(moment.step);
    const dots = [loss(moment.valid_loss), share((100 * moment.right) / N), rate(moment.rate ?? 0)];
    return [
      ...[104, 202, 256].map((y) => svg("line", { x1: 8, y1: y, x2: 322, y2: y, class: "training-axis" })),
      svg("line", { x1: at, y1: 14, x2: at, y2: 260, class: "training-now" }),
      line(logged("loss"), loss, "training-thin"), line(losses, loss, ""),
      line(moments((one) => one.found[0]), share, "training-dashed"),
      line(moments((one) => one.found.at(-1)), share, "training-dotted"),
      line(moments((one) => (100 * one.right) / N), share, ""), line(rates, rate, ""),
      ...dots.map((y) => svg("circle", { cx: at, cy: y, r: 4 })),
      text(322, 24, say`validation loss (thin: training)`), text(322, 121, say`sentences right, in %`),
      text(322, 136, say`(dashed: frequent words, dotted: rare)`), text(322, 226, say`learning rate`),
      text(24, 24, say`${most(losses).toFixed(1)} nats`, "start"), text(8, 136, say`100 %`, "start"),
      text(8, 226, most(rates).toFixed(4), "start"), text(8, 272, say`0 updates`, "start"), text(322, 272, STEPS.toLocaleString("en")),
    ];
  }

  customElements.define("live-training", LiveTraining);
})();
