/**
 * Figure *Map*: the whole model at work on a sentence of the reader's (Figure 1 of the paper, turned a quarter).
 *
 * At rest it shows the run that came with the page (map/trace.js). The model is loaded at the first touch; then a run is
 * computed for each sentence, and a click on a block looks inside of it. A button turns it round, to the other model.
 * Its parts: map/directions.js has the two models, map/plan.js says where all stands, map/run.js what the model computed,
 * map/paint.js and map/labels.js draw, map/play.js moves through the time, map/say.js puts it into words, map/inside*.js
 * show the matrices of a block.
 */
"use strict";

(() => {
  const { LiveFigure, h, map: M, once, say, showDoubt } = AnnotatedTransformer;
  const QUIET = 800; // milliseconds without a key until a screen reader hears the translation
  const LOW = 494; // pixels that a screen of 720 has below the two sentences
  const LETTERS = [24, 21, 18, 16]; // sizes of the two sentences, the largest that fits

  class LiveMap extends LiveFigure {
    /** Models of its own, for what visitors type; the other figures look into the model of the book. */
    get model() { return this.direction.model; }

    /** Laid out before its first frame: before the stage is seen nothing has a width. */
    connectedCallback() {
      super.connectedCallback();
      this.layout();
    }

    build(stage) {
      this.motion = matchMedia("(prefers-reduced-motion: reduce)");
      this.places = JSON.parse(this.querySelector(".map-places")?.textContent ?? "null");
      const asked = new URLSearchParams(location.search);
      this.lit = asked.get("lit")?.split(",") ?? [];
      this.chapter = this.places?.titles[asked.get("from")];
      this.player = new M.Bar(this);
      const run = M.storedRun();
      Object.assign(this, { run, direction: run.direction, turned: false, parts: [], part: 0, time: Infinity, guess: false, hover: null, chosen: null });
      stage.append(this.top(), h("div", { className: "map-said" }, this.hint, this.status), this.offers, this.area(), this.player.element, ...this.below());
      stage.addEventListener("keydown", (event) => this.key(event));
      this.motion.addEventListener("change", () => { this.player.pause(); this.go(this.total); });
      this.low = matchMedia("(min-width: 1200px) and (min-height: 700px) and (max-height: 800px)");
      for (const query of [this.low, matchMedia("(forced-colors: active)")]) query.addEventListener("change", () => this.layout());
      new MutationObserver(() => this.layout()).observe(document.documentElement, { attributeFilter: ["data-theme"] });
      new ResizeObserver(() => { if (this.room.clientWidth !== this.plan?.width) this.layout(); }).observe(this.room);
      document.fonts.ready.then(() => this.layout());
      M.nameDirection(this);
      this.beginOnce();
    }

    /** What goes in, and what comes out. */
    top() {
      this.field = h("textarea", {
        id: "map-field", className: "live-field wide-field map-field", rows: 1, spellcheck: false, autocomplete: "off",
        oninput: () => {
          Object.assign(this, { guess: false, part: 0 });
          this.classList.add("map-waiting"); // for the weights, perhaps; draw() ends it
          this.update();
        },
        onkeydown: (event) => {
          if (event.key !== "Enter" || event.shiftKey || event.isComposing) return; // which ends a syllable
          event.preventDefault();
          this.begin();
        },
      });
      this.into = h("label", { htmlFor: "map-field" });
      this.turner = h("button", { type: "button", className: "map-turn live-only", onclick: () => this.turn() });
      // To reach for it is no touch of this direction: only the other model is asked for.
      for (const event of ["pointerdown", "focusin", "keydown"]) this.turner.addEventListener(event, (own) => own.stopPropagation());
      this.outOf = h("small");
      this.output = h("p", { className: "map-out" });
      this.spoken = h("p", { className: "live-hidden", "aria-live": "polite" });
      this.hint = h("p", { className: "map-hint live-only" });
      this.offers = h("div", { className: "map-offers" });
      return h("div", { className: "map-top" },
        h("div", {}, h("small", {}, this.into, this.turner), this.field), h("span", { className: "map-arrow", "aria-hidden": "true" }, "→"),
        h("div", {}, this.outOf, this.output, this.spoken));
    }

    /** The other direction. */
    get back() { return M.directions.find((direction) => direction !== this.direction); }

    /** Translate the other way. What the map shows fades until the other model has answered. */
    turn() {
      this.touched = true;
      this.player.pause();
      if (this.open) this.inner.leave(true);
      Object.assign(this, { direction: this.back, turned: true, translator: null });
      M.nameDirection(this);
      this.offers.replaceChildren();
      this.announce("");
      this.wait(true);
      this.go(this.total);
      this.begin();
    }

    /** Whether the map shows what nobody asks for any more. */
    wait(turned) {
      this.turned = this.room.inert = turned;
      this.player.element.inert = turned || !this.run;
      this.classList.toggle("map-waiting", turned);
    }

    /** The map itself, and the inside of a block over it. */
    area() {
      this.canvas = h("canvas", { "aria-hidden": "true" });
      this.over = h("canvas", { "aria-hidden": "true", hidden: true }); // what moves
      this.labels = h("div", { className: "map-labels" });
      this.flyer = h("span", { className: "map-flyer", "aria-hidden": "true", hidden: true });
      this.world = h("div", { className: "map-world" }, this.canvas, this.over, this.labels, this.flyer);
      this.told = h("div", { className: "map-told", "aria-live": "off" }, h("strong"), h("p"));
      this.inner = new M.Inner(this);
      this.room = h("div", { className: "map-room" }, this.world, this.inner.panel, this.told, this.inner.close);
      return this.room;
    }

    below() {
      this.tries = h("ul", { className: "map-tries live-only", "aria-labelledby": "map-tries" });
      this.about = h("p", { className: "map-small live-only" });
      this.words = h("ol");
      return [
        h("p", { className: "map-tries-name live-only", id: "map-tries" }, say`Try one of these, which are not in its training data:`),
        this.tries, this.about,
        h("details", { className: "map-words live-only" }, h("summary", {}, say`This picture in words`), this.words),
      ];
    }

    /** Play the stored run once when it has been in view for a moment, unless somebody is quicker. */
    beginOnce() {
      once(this, this.room, () => {
        if (this.open || this.lit.length) return;
        this.room.animate({ opacity: [0.2, 1] }, 400);
        this.player.play();
      });
    }

    /** Translate what the field has, and play the run from its beginning. */
    begin() {
      Object.assign(this, { guess: false, part: 0, playNext: true });
      this.update();
    }

    *draw(translator) {
      this.translator = translator;
      this.wait(false);
      const play = this.playNext && !this.motion.matches;
      this.playNext = false;
      try {
        const { parts, said, offers, doubts, run } = yield* M.read(this, translator);
        this.parts = parts;
        this.say(said);
        this.offers.replaceChildren(...offers);
        if (run !== this.run) this.show(run);
        showDoubt(this.output, doubts);
        this.go(play && !run.grey ? 0 : this.time);
        if (play && !run.grey) this.player.play();
        this.announce(this.text);
      } catch (error) {
        this.parts = [];
        this.offers.replaceChildren();
        this.show(null);
        this.announce("");
        throw error;
      }
    }

    /** The translation of all that was typed, with a dash for a sentence that the model cannot read. */
    get text() {
      return this.parts.map(({ found }) => found?.text ?? "—").join(" ");
    }

    /** Show another run, finished; none where the text cannot be read. The same sentence stays where it is. */
    show(run) {
      if (run && M.same(this.run, run)) {
        this.run = run;
        return this.layout();
      }
      this.player.pause();
      if (this.open) this.inner.leave(true);
      Object.assign(this, { run, hover: null, chosen: null, time: Infinity });
      return this.layout();
    }

    /** Lay all out anew: for another run, width, theme or font. */
    layout() {
      const width = this.room.clientWidth;
      if (!width) return;
      const { run } = this, done = this.time >= (this.total ?? 0);
      const [wide, plain] = [600, 400].map((weight) => {
        const measure = new OffscreenCanvas(1, 1).getContext("2d");
        measure.font = `${weight} 13px ${getComputedStyle(this).fontFamily}`;
        return (text) => measure.measureText(text).width;
      });
      const names = (list, least) => M.clamp(Math.ceil(Math.max(...list.map(wide))) + 18, least, width < 560 ? 76 : 140);
      const columns = [names(run?.source ?? [""], 56), names(run?.grey || !run ? [""] : run.names, 48)];
      this.plan = M.plan(width, run?.source.length ?? 6, run?.grey || !run ? 2 : run.names.length, columns, this.layers, plain, this.low.matches);
      this.colours = M.palette(this);
      if (run?.grey) for (const hue of ["source", "target", "value", "query", "key"]) this.colours[hue] = this.colours.neutral;
      this.phases = run ? M.phasesOf(this.plan, run) : [];
      this.total = this.phases.reduce((sum, { length }) => sum + length, 0);
      this.painter = new M.Painter(this.canvas, this.over, this);
      this.world.style.height = `${this.plan.height}px`;
      this.classList.toggle("map-wide", this.plan.wide);
      // A low screen shows the whole map if the playback takes the free corner, below what is told, and both have room there.
      const { height, bottom, start } = this.plan, roomy = start >= 300 && height - bottom >= 240;
      this.classList.toggle("map-corner", this.low.matches && !run?.grey && roomy && height <= LOW);
      this.style.setProperty("--map-corner", `${start - 18}px`);
      this.classList.toggle("map-grey", Boolean(run?.grey));
      this.found = M.label(this, this.labels);
      this.written = null;
      this.wait(this.turned);
      if (run) this.player.mark((text) => wide(text) * 12 / 13);
      this.toldPlace();
      this.fit(wide);
      if (this.open) this.inner.fill();
      else this.size();
      if (run) this.words.replaceChildren(...M.inWords(this));
      else for (const part of [this.words, this.player.marks]) part.replaceChildren();
      this.go(done ? this.total : this.time);
      this.found.focused?.focus({ preventScroll: true });
    }

    get layers() { return this.translator?.config.n_layers ?? 2; }

    /** The two sentences in the largest letters that fit, and the field as high as its text. */
    fit(wide) {
      const room = this.field.clientWidth - 4;
      const longest = Math.max(wide(this.field.value), wide(this.run?.target ?? "")) / 13;
      const size = LETTERS.find((px) => longest * px <= room) ?? LETTERS.at(-1);
      this.style.setProperty("--map-letters", `${size}px`);
      this.field.style.height = "auto";
      this.field.style.height = `${Math.min(this.field.scrollHeight, 160)}px`;
    }

    /** In the free corner: left of the decoder, or below everything on a narrow page. */
    toldPlace() {
      const { plan } = this;
      const grey = this.run?.grey;
      const [x, width] = grey ? [plan.first, Math.min(560, plan.width - plan.first - 8)] : [0, plan.start - 18];
      M.placed(this.told, x, plan.bottom - (grey ? 0 : 8), { width: plan.wide ? `${width}px` : "auto" });
    }

    /** As high as the map; as the inside of a block, where one stands over it. */
    size() {
      const { open, plan, inner } = this;
      const high = open ? Math.max(inner.panel.offsetHeight, plan.wide ? inner.whole : 0) : plan.height;
      this.room.style.height = open || plan.wide ? `${high}px` : "";
    }

    get open() { return this.inner.stage; }

    // --- the time of the run

    get still() { return this.motion.matches; }
    get done() { return this.time >= this.total - 1; }
    get phase() { return this.phases.findLast(({ from }) => from <= this.time) ?? this.phases[0]; }

    /** The rows that stand out: those that are pointed at or chosen, else those of which the picture tells. */
    followed() {
      const { run } = this;
      if (!run) return { enc: -1, dec: -1 };
      const finding = M.finding(this), [side, row] = this.hover ?? this.chosen ?? [];
      const now = this.done || run.grey ? finding.row : this.phase.row ?? 0;
      const dec = side === "dec" ? row : now;
      if (side === "enc" || run.grey) return { enc: side === "enc" ? row : finding.token, dec };
      if (side !== "dec" && this.phase?.row === undefined) return { enc: finding.token, dec };
      return { enc: M.largest(run.mean(this.plan.last.name)[dec]), dec };
    }

    /** Show the run at a time. */
    go(time) {
      const { run, plan, painter } = this;
      this.time = M.clamp(time, 0, this.total);
      const followed = this.followed();
      painter.draw(this.time, followed);
      const finished = !run || this.done || Boolean(this.open);
      const rows = (stage, least) => (run ? run.written.filter((_, r) => painter.progress(stage, r) > least).length : 0);
      const [given, written] = [rows(plan.dec[0], 0), rows(plan.dec.at(-1), 0.6)];
      const text = finished || !written ? run?.target ?? "" : run.spoken[written - 1];
      const out = this.turned ? "\u00a0" : !run || run.grey ? (run ? this.text : "") : finished ? this.text || text : written ? text : "…";
      this.write({ out, finished, given, written, ...followed });
      M.fly(this);
      this.player.follow(finished ? say`The run is finished` : this.told.firstChild.textContent);
    }

    /** Write what stands beside the picture, when something of it has changed: in most frames nothing has. */
    write(shown) {
      const { found, told } = this, { out, finished, given, written } = shown;
      const all = [...Object.values(shown), this.done, this.phases.indexOf(this.phase), this.hover, this.player.playing || this.chosen].join();
      if (this.written === all) return;
      this.written = all;
      if (this.output.textContent !== out) this.output.textContent = out; // the same text again would be laid out again
      found.outputs.forEach((output, r) => output.classList.toggle("map-off", !finished && r >= written));
      found.tokens.dec.forEach((token, r) => token.classList.toggle("map-off", !finished && r >= given));
      for (const side of ["enc", "dec"]) {
        found.tokens[side].forEach((token, r) => token.classList.toggle("map-chosen", r === shown[side]));
      }
      const { title, words } = M.told(this);
      if (told.firstChild.textContent !== title) told.firstChild.textContent = title;
      if (told.lastChild.textContent !== words) told.lastChild.textContent = words;
    }

    /** The playback began or stopped. */
    changed() {
      this.chosen = null;
      this.told.setAttribute("aria-live", this.player.playing ? "off" : "polite");
    }

    enter(stage, button) { this.inner.enter(stage, button); }

    point(side, row) {
      this.hover = side ? [side, row] : null;
      this.go(this.time);
    }

    /** Keep to a token, with the keyboard or a click. */
    follow(side, row) {
      this.player.pause();
      this.told.setAttribute("aria-live", "polite");
      this.chosen = [side, row];
      this.go(this.time);
    }

    key(event) {
      const { found } = this;
      if (event.key === "Escape" && this.open) { event.preventDefault(); return this.inner.leave(); }
      for (const group of [found.blocks, found.tokens.enc, found.tokens.dec]) if (M.walk(event, group)) return;
      const own = event.target.closest("button, textarea, summary, a, input");
      if (event.key === " " && !own && !this.open) { event.preventDefault(); this.player.toggle.click(); }
    }

    /** Let a screen reader hear the translation when the reader stops typing; one that is gone at once no more. */
    announce(text) {
      clearTimeout(this.timer);
      const speak = () => { this.spoken.textContent = text; };
      if (text) this.timer = setTimeout(speak, QUIET);
      else speak();
    }

    /** What stands where nothing is wrong. */
    say(text) {
      super.say(text);
      const { source, target } = this.direction;
      this.hint.textContent = this.chapter
        ? say`What the chapter “${this.chapter}” is about has a frame. Choose a block to look inside.`
        : say`The encoder (above) reads the ${source.name}, the decoder (below) writes the ${target.name}, piece by piece.
          The wider a green line, the more one piece looks at another. Choose a block to look inside.`;
    }
  }

  customElements.define("live-map", LiveMap);
})();
