/**
 * The picture of a run at a moment: tracks, vectors, attention in three beats, feed-forward units, the memory.
 *
 * Only data moves. A query asks (a blue line goes back to each key), the keys answer (an orange dot, as large as the
 * weight), the values flow (a green line, as wide as the weight); then the new vector stands there.
 */
"use strict";

(() => {
  const M = AnnotatedTransformer.map;
  const THICK = 6.5; // pixels of a line with the whole weight
  const THIN = 0.6;
  const LEAST = 0.015; // a smaller weight is no line
  const PALE = 0.28; // of what is not followed
  const COMING = 0.26; // of what is still to come
  const UNIT = 1.9; // pixels of a unit that fires
  const FILLS = 700; // milliseconds in which the memory fills
  const AROUND = 14; // pixels around the middles of rows and the ends of curves: a vector, a line, a dot
  const GRID = 4; // pixels; what stands on it is as sharp as the screen where one of them is 1.25 or 1.5 of its dots

  class Painter {
    /**
     * `canvas` gets what stands still, `over` what moves; `scene`: {run, plan, colours, phases, total}. What does not depend
     * on the moment is made here.
     */
    constructor(canvas, over, { run, plan, colours, phases, total }) {
      Object.assign(this, { over, run, plan, colours, phases, total });
      // What stands still is drawn out of sight and handed over as an image: Chromium without a graphics card copies each
      // canvas that one draws on in each frame of the page, whether it has changed or not.
      this.ground = this.context = M.sized(canvas, plan.width, plan.height, new OffscreenCanvas(1, 1));
      this.image = canvas.getContext("bitmaprenderer");
      this.hues = { enc: colours.source, dec: colours.target };
      this.sides = run?.grey ? ["enc"] : ["enc", "dec"];
      this.moments = new Map(plan.stages.map((stage) => [stage, []]));
      for (const phase of this.phases) if (phase.stage) this.moments.get(phase.stage)[phase.row ?? 0] = phase;
      const read = this.phases.find(({ stage }) => stage === plan.enc.at(-1));
      Object.assign(this, { filled: read ? read.from + read.length + FILLS : 0, drawn: null });
      this.sheets = new Map();
      this.units = new Map();
      if (!run) return;
      const shown = run.grey ? plan.enc : plan.stages;
      for (const stage of shown) {
        const hue = this.hues[stage.side];
        if (stage.ends) this.sheets.set(stage, M.sheet(run.vectors(stage.ends), plan.cols, hue, colours));
        if (stage.kind === "ffn") this.units.set(stage, this.lights(run.units(`${stage.name}.inner`)));
      }
      const width = run.vectors("source_positions").rows[0].length;
      this.places = M.sheet(M.places(Math.max(plan.n, plan.m), width), plan.cols, colours.neutral, colours);
    }

    /** The units that fire, a list for each row: [column, line, strength] as shares of their field. */
    lights({ rows, scale }) {
      const [cols, lines] = [32, rows[0].length / 32];
      return rows.map((row) => [...row].flatMap((x, n) => (x > 0
        ? [[(n % cols) / cols, Math.floor(n / cols) / lines, M.clamp(0.35 + x / scale)]] : [])));
    }

    /** How far a stage is in a row, from 0 to 1. */
    progress(stage, row) {
      const phase = this.moments.get(stage)[stage.side === "enc" ? 0 : row];
      const u = phase ? (this.time - phase.from) / phase.length : 0;
      return u > 1 - 1e-9 ? 1 : M.clamp(u); // a sum of lengths ends a little before or after the next begins
    }

    /**
     * Draw the moment; followed: {enc, dec}, the rows that stand out. One phase moves, and all before it stands still: that
     * is drawn when a phase ends or another row stands out. A frame draws what moves, on a canvas no larger than that.
     */
    draw(time, followed) {
      const phase = this.phases.findLast(({ from }) => from <= time);
      const moves = phase && time < phase.from + phase.length ? phase : null;
      const flows = time >= this.filled - FILLS && time < this.filled; // the memory, a little longer than its phase
      const still = [moves ? phase.from : "", time < this.total ? "" : "end", followed.enc, followed.dec, flows].join();
      Object.assign(this, { followed, flows, now: time });
      if (this.drawn !== still) {
        Object.assign(this, { drawn: still, time: moves ? phase.from : time, context: this.ground });
        this.settle();
        this.image.transferFromImageBitmap(this.ground.canvas.transferToImageBitmap()); // and is empty again
        this.place(this.bounds(moves));
      }
      this.time = time;
      if (this.over.hidden) return;
      this.context = this.above;
      this.context.clearRect(...this.spot);
      if (flows) this.memory();
      if (moves?.stage?.ends) this.move(moves);
    }

    /** Where a phase moves, and the memory while it fills: [left, top, right, bottom], or null if nothing does. */
    bounds(phase) {
      const { plan } = this, boxes = [], stage = phase?.stage;
      if (stage?.ends) {
        const { side, kind } = stage, last = phase.row ?? plan.n - 1;
        const above = kind === "cross" ? plan.y("enc", 0) : plan.y(side, side === "enc" || kind === "self" ? 0 : last);
        const round = kind === "cross" && !plan.wide; // its curves come from the right edge, below the encoder
        boxes.push([round ? stage.x0 - 14 : this.start(stage), above, round ? plan.width : stage.tile + plan.tile, plan.y(side, last)]);
      }
      if (this.flows) boxes.push([plan.memory, plan.y("enc", 0), this.tapped, plan.y("enc", plan.n - 1)]);
      const edge = (n, pick) => pick(...boxes.map((box) => box[n]));
      return boxes.length ? [edge(0, Math.min), edge(1, Math.min), edge(2, Math.max), edge(3, Math.max)] : null;
    }

    /** How far the memory reaches. */
    get tapped() { return this.plan.wide ? this.plan.last.x0 : this.plan.memory + 5; }

    /** Put the canvas of what moves where that is. */
    place(bounds) {
      const { over } = this;
      over.hidden = !bounds;
      if (!bounds) return;
      const [left, top, right, bottom] = bounds, { plan } = this; // the canvas of what stands still ends there, too
      const [x, y] = [left, top].map((least) => Math.max(0, Math.floor((least - AROUND) / GRID) * GRID));
      const onGrid = (length) => Math.ceil((length + AROUND) / GRID) * GRID;
      const [width, height] = [Math.min(onGrid(right - x), plan.width - x), Math.min(onGrid(bottom - y), plan.height - y)];
      this.spot = [x, y, width, height];
      this.above = M.sized(M.placed(over, x, y), width, height);
      this.above.translate(-x, -y);
    }

    /** Draw all that has come to rest, and pale what is still to come: a lane that waits would be an empty box. */
    settle() {
      this.layers();
      if (this.run && !this.run.grey && this.now < this.total) {
        this.pale ??= this.finished();
        this.context.save();
        this.context.resetTransform();
        this.context.globalAlpha = COMING;
        this.context.drawImage(this.pale, 0, 0);
        this.context.restore();
      }
      this.rest();
    }

    /** The picture at the end of the run, without the ground. */
    finished() {
      const { ground, followed, time, now, flows } = this, { canvas } = ground;
      this.context = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
      this.context.setTransform(ground.getTransform());
      this.context.lineCap = ground.lineCap;
      Object.assign(this, { followed: { enc: -1, dec: -1 }, time: this.total, now: this.total, flows: false });
      this.rest();
      const drawn = this.context.canvas;
      Object.assign(this, { context: ground, followed, time, now, flows });
      return drawn;
    }

    /** What has come to rest. */
    rest() {
      const { plan, run } = this;
      for (const side of this.sides) this.tracks(side);
      if (!run) return;
      if (!this.flows) this.memory();
      const shown = run.grey ? plan.enc : plan.stages;
      const all = { enc: [...Array(plan.n).keys()], dec: [...Array(plan.m).keys()] };
      for (const stage of shown) if (stage.kind === "self" || stage.kind === "cross") this.attention(stage, all[stage.side]);
      for (const stage of shown) {
        for (let row = 0; row < plan.rows(stage.side); row++) this.vector(stage, row);
      }
    }

    /** Draw the stage of a phase, where it is on its way: in all rows of the encoder, in one of the decoder. */
    move({ stage, row }) {
      const rows = row === undefined ? [...Array(this.plan.rows(stage.side)).keys()] : [row];
      if (stage.ends) for (const i of rows) this.track(stage.side, i, this.start(stage), this.reached(stage, i));
      if (stage.kind === "self" || stage.kind === "cross") this.attention(stage, rows);
      for (const i of rows) this.vector(stage, i);
    }

    /** The ground: layers, and in them the sublayers. */
    layers() {
      const { context, plan, colours } = this;
      for (const side of this.sides) {
        for (let layer = 0; layer < plan.layers; layer++) {
          M.box(context, plan.layerOf(side, layer), 10, M.css(this.hues[side], 0.1));
        }
      }
      for (const stage of plan.stages) {
        if (stage.layer !== null && this.sides.includes(stage.side)) M.box(context, plan.boxOf(stage), 7, M.css(colours.paper, 0.72));
      }
    }

    /** The residual streams: a line for each token, strong as far as the token has come. */
    tracks(side) {
      const { context, plan, run } = this;
      const stages = plan[side], last = stages.findLast(({ kind }) => kind !== "out");
      const from = stages[0].x0 - 5, to = last.tile + plan.tile;
      for (let row = 0; row < plan.rows(side); row++) {
        M.line(context, from, plan.y(side, row), to, 3, M.css(this.hues[side], 0.12));
        if (!run) continue;
        let reached = from;
        for (const stage of stages) {
          if (this.progress(stage, row) < 1) break;
          if (stage.ends) reached = this.reached(stage, row);
        }
        this.track(side, row, from, reached);
      }
    }

    /** How far the token of a row has come in a stage. */
    reached(stage, row) {
      return stage.x0 + this.progress(stage, row) * (stage.tile + this.plan.tile - stage.x0);
    }

    /** Where the token of a row is when a stage begins: at the strip before it. */
    start(stage) {
      const { plan } = this;
      const before = plan[stage.side][plan[stage.side].indexOf(stage) - 1];
      return before ? before.tile + plan.tile : stage.x0 - 5;
    }

    /** The strong part of a line. */
    track(side, row, from, to) {
      const alpha = this.followed[side] === row ? 0.75 : 0.34;
      M.line(this.context, from, this.plan.y(side, row), to, 3, M.css(this.hues[side], alpha));
    }

    /** What the encoder has made stays as keys and values, which both cross-attentions tap. */
    memory() {
      const { context, plan, colours } = this;
      const begin = this.filled - FILLS;
      if (this.now < begin) return;
      const reach = plan.memory + M.ease((this.now - begin) / FILLS) * (this.tapped - plan.memory);
      for (let j = 0; j < plan.n; j++) {
        const alpha = this.followed.enc === j ? 0.95 : 0.4, y = plan.y("enc", j);
        M.line(context, plan.memory, y - 2.2, reach, 1.6, M.css(colours.key, alpha));
        M.line(context, plan.memory, y + 2.2, reach, 1.6, M.css(colours.value, alpha));
      }
    }

    /** The curve along which a value comes to a query. */
    curve(stage, i, j) {
      const { plan } = this;
      const Y = plan.y(stage.side, i);
      if (stage.kind !== "cross") return M.level(stage.x0, plan.y(stage.side, j), stage.x1, Y);
      const y = plan.y("enc", j);
      if (plan.wide) return M.level(stage.x0, y, stage.x1, Y);
      // Down at the right edge, through the gap between the lanes, and from above into the decoder's rows: beside each other.
      const outer = 1 - j / (plan.n - 1), x = this.tapped + 4 + 9 * outer;
      const [low, gap, left] = [plan.y("enc", plan.n - 0.5), plan.bottom - 20 + 14 * outer, stage.x0 - 12];
      return [this.tapped, y, x, y, x, y, x, low, x, gap, x, gap, stage.x0 + 6, gap, left, gap, left, Y, stage.x1, Y];
    }

    /** The queries of an attention in these rows, the followed one on top. */
    attention(stage, rows) {
      const weights = this.run.mean(stage.name), followed = this.followed[stage.side];
      for (const i of rows) if (i !== followed) this.looks(stage, i, weights[i], false);
      if (rows.includes(followed)) this.looks(stage, followed, weights[followed], true);
    }

    /** One query in an attention. */
    looks(stage, i, weights, followed) {
      const u = this.progress(stage, i);
      if (u <= 0) return;
      const { context, colours } = this;
      const flow = M.part(u, 0.4, 0.78);
      weights.forEach((weight, j) => {
        if (weight < LEAST) return;
        const alpha = followed ? 0.92 : PALE;
        M.stroke(context, this.curve(stage, i, j), 0, flow, Math.max(THIN, THICK * weight), M.css(colours.value, alpha));
      });
      if (!followed || u >= 1) return;
      const ask = M.part(u, 0, 0.28), fade = 1 - M.part(u, 0.4, 0.6);
      const answer = M.part(u, 0.25, 0.4), gone = 1 - M.part(u, 0.7, 0.95);
      const seen = stage.block === "masked" ? weights.slice(0, i + 1) : weights;
      seen.forEach((weight, j) => {
        const curve = this.curve(stage, i, j);
        if (fade) M.stroke(context, curve, 1 - ask, 1, 1.4, M.css(colours.query, 0.75 * fade));
        if (weight >= LEAST) M.dot(context, curve[0], curve[1], answer * (2 + 5 * Math.sqrt(weight)), M.css(colours.key, gone));
      });
    }

    /** What a stage leaves in a row: its vector, and before it the place or the units. */
    vector(stage, row) {
      const u = this.progress(stage, row);
      if (u <= 0) return;
      const { context, plan, colours } = this;
      const y = plan.y(stage.side, row) - plan.high / 2;
      const followed = this.followed[stage.side] === row;
      if (stage.kind === "embed") {
        M.strip(context, this.places, row, [stage.x0 + 4, y, plan.tile, plan.high], M.part(u, 0, 0.5) * (followed ? 1 : 0.7));
      }
      if (stage.kind === "ffn") this.network(stage, row, u, followed);
      const sheet = this.sheets.get(stage);
      if (!sheet) return;
      const alpha = stage.kind === "embed" ? M.part(u, 0.4, 1) : M.part(u, 0.72, 1);
      M.strip(context, sheet, row, [stage.tile, y, plan.tile, plan.high], alpha);
      if (followed && alpha === 1) {
        context.lineWidth = 1.5;
        M.box(context, [Math.round(stage.tile) - 1, Math.round(y) - 1, plan.tile + 2, plan.high + 2], 2, null, M.css(colours.ink));
      }
    }

    /** A feed-forward network in a row: a field that opens, and in it the units that fire. */
    network(stage, row, u, followed) {
      const { context, plan } = this;
      const hue = this.hues[stage.side];
      const open = M.part(u, 0, 0.35), width = stage.x1 - stage.x0 - 4, high = plan.high - 1;
      const y = plan.y(stage.side, row) - (high * open) / 2;
      M.box(context, [stage.x0 + 2, y, width, high * open], 6, M.css(M.mix(this.colours.paper, hue, 0.16)));
      const lit = M.part(u, 0.3, 0.65);
      if (!lit) return;
      context.fillStyle = M.css(hue);
      for (const [x, line, strength] of this.units.get(stage)[row] ?? []) {
        context.globalAlpha = lit * strength * (followed ? 1 : 0.75);
        context.fillRect(stage.x0 + 5 + x * (width - 8), y + 2 + line * (high - 5), UNIT, UNIT);
      }
      context.globalAlpha = 1;
    }
  }

  M.Painter = Painter;
})();
