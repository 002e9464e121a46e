/** The playback: a run as phases one after the other, and the bar with which one moves through them. */
"use strict";

(() => {
  const M = AnnotatedTransformer.map;
  const { h, say, svg } = AnnotatedTransformer;
  const LENGTHS = { // milliseconds
    enc: { embed: 1200, self: 1900, ffn: 900 },
    dec: { embed: 600, self: 900, cross: 1500, ffn: 600, out: 800 },
  };
  const BACK = 700; // the word that was written goes back in
  const LONGEST = 28_000; // a run
  const JUMP = 1100; // a phase, where nothing may move
  const ICONS = {
    back: "M14 3v14L5 10zM3 3h2v14H3z", play: "M5 3v14l12-7z", pause: "M5 3h4v14H5zM11 3h4v14h-4z",
    next: "M6 3v14l9-7zM15 3h2v14h-2z",
  };

  /** How much faster than the first the row r is written. */
  const pace = (r, rows) => (r === 0 ? 1 : r === 1 ? 0.6 : Math.max(0.12, Math.min(0.28, 2 / rows)));

  /** The phases of a run: {stage, row, from, length}; those of the encoder have no row, `back` has no stage. */
  function phasesOf(plan, run) {
    const phases = [];
    const add = (phase, length) => phases.push({ ...phase, length });
    for (const stage of plan.enc) add({ stage }, LENGTHS.enc[stage.kind]);
    for (let row = 0; row < run.written.length; row++) {
      const share = pace(row, run.written.length);
      for (const stage of plan.dec) add({ stage, row }, share * LENGTHS.dec[stage.kind]);
      if (row + 1 < plan.m) add({ row, back: true }, share * BACK);
    }
    const share = Math.min(1, LONGEST / phases.reduce((sum, { length }) => sum + length, 0));
    let from = 0;
    for (const phase of phases) {
      Object.assign(phase, { from, length: phase.length * share });
      from += phase.length;
    }
    return phases;
  }

  /** A token on its way back into the decoder. */
  function fly(host) {
    const phase = host.done || !host.run ? null : host.phase;
    if (host.flyer.hidden !== !phase?.back) host.flyer.hidden = !phase?.back;
    if (host.flyer.hidden) return;
    const { plan } = host, u = M.ease((host.time - phase.from) / phase.length);
    const out = plan.dec.at(-1), [x, X] = [out.x0 + 20, plan.start + plan.second * 0.5];
    const low = plan.bottom + plan.m * plan.pitch + 40, [y, Y] = [plan.y("dec", phase.row), plan.y("dec", phase.row + 1)];
    const legs = [[x, y], [x, low], [X, low], [X, Y]], ends = [0, 0.2, 0.8, 1];
    const n = Math.max(0, ends.findLastIndex((end) => end <= u && end < 1)), t = (u - ends[n]) / (ends[n + 1] - ends[n]);
    const [a, b] = [0, 1].map((axis) => legs[n][axis] + t * (legs[n + 1][axis] - legs[n][axis]));
    const word = host.run.written[phase.row];
    if (host.flyer.textContent !== word) host.flyer.textContent = word;
    host.flyer.style.transform = `translate(${a}px, ${b}px) translate(-50%, -50%)`;
  }

  /** The bar below the map. `host` has phases, total, time, still, go(time), changed(): the element of the map. */
  class Bar {
    constructor(host) {
      this.host = host;
      this.playing = false;
      this.seen = true; // the map, or a part of it
      new IntersectionObserver((entries) => {
        this.seen = entries.at(-1).isIntersecting;
        if (this.seen && this.playing) host.go(host.time);
      }).observe(host);
      const button = (icon, name, act) => h("button", { type: "button", title: name, "aria-label": name, onclick: act },
        svg("svg", { viewBox: "0 0 20 20", width: 20, height: 20, "aria-hidden": "true" }, svg("path", { d: ICONS[icon] })));
      this.toggle = button("play", say`Play`, () => (this.playing ? this.pause() : this.play()));
      this.toggle.className = "map-toggle";
      this.slider = h("input", {
        type: "range", min: 0, max: 1, step: "any", value: 0, "aria-label": say`Place in the run`,
        oninput: () => {
          const place = Number(this.slider.value); // pause() puts the slider back to where the run is
          this.pause();
          host.go(place);
        },
      });
      // The slider's own arrows would move by a thousandth of the run; a step is what happens next.
      // Space would scroll the page away.
      this.slider.onkeydown = (event) => {
        if (event.key === " ") {
          event.preventDefault();
          this.toggle.click();
        }
        const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
        if (!by) return;
        event.preventDefault();
        event.stopPropagation();
        this.step(by);
      };
      this.marks = h("div", { className: "map-marks", "aria-hidden": "true" });
      this.element = h("div", { className: "map-bar live-only", role: "group", "aria-label": say`Playback` },
        button("back", say`One step back`, () => this.step(-1)), this.toggle, button("next", say`One step on`, () => this.step(1)),
        h("div", { className: "map-track" }, this.slider, this.marks));
    }

    /** Play from here on, or from the beginning where all is done. */
    play() {
      const { host } = this;
      if (host.time >= host.total) host.go(0);
      this.playing = true;
      this.show();
      host.changed();
      let last = null;
      const frame = (now) => {
        if (!host.isConnected) return;
        if (last !== null) this.advance(Math.min(now - last, 100));
        last = now;
        if (host.time >= host.total) this.pause();
        else this.asked = requestAnimationFrame(frame);
      };
      const jump = () => {
        if (!this.playing) return;
        const after = host.phases.find(({ from, length }) => from + length > host.time + 1);
        host.go(after ? after.from + after.length : host.total);
        if (host.time >= host.total) this.pause();
        else this.timer = setTimeout(jump, JUMP);
      };
      this.stop();
      if (host.still) this.timer = setTimeout(jump, JUMP);
      else this.asked = requestAnimationFrame(frame);
    }

    /** Go on by some milliseconds. Out of sight the run is not drawn, except its end. */
    advance(milliseconds) {
      const { host } = this, time = Math.min(host.time + milliseconds, host.total);
      if (this.seen || time === host.total) host.go(time);
      else host.time = time;
    }

    /** Ask for no more frames: a second series of them would play twice as fast. */
    stop() {
      clearTimeout(this.timer);
      cancelAnimationFrame(this.asked);
    }

    pause() {
      this.stop();
      if (!this.playing) return;
      this.playing = false;
      this.slide();
      this.show();
      this.host.changed();
    }

    /** To the end of the phase before or after this place. */
    step(by) {
      const { host } = this;
      this.pause();
      const ends = [0, ...host.phases.map(({ from, length }) => from + length)];
      const to = by > 0 ? ends.find((end) => end > host.time + 1) : ends.findLast((end) => end < host.time - 1);
      if (to !== undefined) host.go(to);
    }

    /** What the button does now. */
    show() {
      const icon = this.playing ? "pause" : "play";
      this.toggle.setAttribute("aria-label", this.playing ? say`Pause` : say`Play`);
      this.toggle.title = this.playing ? say`Pause` : say`Play`;
      this.toggle.querySelector("path").setAttribute("d", ICONS[icon]);
    }

    /** The marks below the slider: what is read, and each token that is written, where there is room for its name. */
    mark(measure) {
      const { phases, total, run } = this.host;
      this.slider.max = total;
      const room = this.marks.clientWidth - 16, wide = room > 500;
      this.grain = total / Math.max(1, room);
      const begins = phases.filter(({ stage }) => stage?.kind === "embed");
      let free = 0;
      this.marks.replaceChildren(...begins.flatMap(({ from, row }, n) => {
        const x = 8 + from / total * room, end = 8 + (begins[n + 1]?.from ?? total) / total * room;
        const reads = wide ? say`Reads the ${run.direction.source.name}` : say`Reads`;
        const token = run.written[row];
        const name = row === undefined ? reads : row || !wide ? token : say`Writes ${token}`;
        const width = measure(name) + 8;
        if (x < free || x + width > Math.max(end, x + 1)) return [];
        free = x + width;
        return [M.placed(h("span", { className: row === undefined ? "at-source" : "at-target" }, name), x, 0)];
      }));
    }

    /** Put the slider where the host's time is. */
    slide() {
      this.at = this.host.time;
      this.slider.value = String(this.at);
    }

    /** Follow the host's time; a frame moves the slider when that is a pixel further, for it costs as much as the map. */
    follow(said) {
      if (!this.playing || Math.abs(this.host.time - this.at) >= this.grain) this.slide();
      if (this.slider.getAttribute("aria-valuetext") !== said) this.slider.setAttribute("aria-valuetext", said);
    }
  }

  Object.assign(M, { Bar, fly, phasesOf });
})();
