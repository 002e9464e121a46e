/** Inside of the other blocks: embedding, feed-forward network, add & norm, and the next token with its beam. */
"use strict";

(() => {
  const M = AnnotatedTransformer.map;
  const { finish, h, say } = AnnotatedTransformer;
  const ROW = 30; // pixels
  const TOP = 26;

  /** Names of the own tokens, and the height that all rows take. */
  function frame(sketch) {
    sketch.names(sketch.own, sketch.left - 8, TOP, ROW, true);
    sketch.height = TOP + sketch.own.length * ROW + 4;
    return sketch.width - sketch.left;
  }

  /** A sign between two columns, in every row. */
  const sign = (sketch, x, mark) => sketch.own.forEach((_, i) => sketch.say(x, TOP + (i + 0.5) * ROW, mark, "map-middle"));

  function embed(sketch) {
    const { stage, left, own, hue, wide } = sketch;
    const room = frame(sketch), apart = wide ? 36 : 18, cols = wide ? 128 : 32;
    const cell = (room - 2 * apart) / 3 / cols;
    const names = [stage.name.replace("positions", "embedding"), `${stage.name}.encoding`, stage.ends];
    const words = wide ? [say`the word: its row of the matrix × √128`, say`its place: waves`, say`the sum: the vector that travels`]
      : [say`the word`, say`its place`, say`the sum`];
    names.forEach((name, k) => {
      const x = left + k * (cols * cell + apart);
      sketch.say(x, 2, words[k], "map-strong");
      sketch.strips([x, TOP, cell, ROW], sketch.rows(name), cols, k === 1 ? sketch.colours.neutral : hue, {
        tell: (i) => `${M.quoted(own[i])}, ${words[k]}`, ...(k === 1 ? { scale: 1 } : {}) });
      if (k) sign(sketch, x - apart / 2, k === 1 ? "+" : "=");
    });
    sketch.first = say`The waves are fast at the left and slow at the right, where neighbours hardly differ.`;
  }

  function network(sketch) {
    const { stage, left, own, hue, wide } = sketch;
    const room = frame(sketch);
    const units = sketch.rows(`${stage.name}.inner`).map((row) => row.map((x) => Math.max(0, x)));
    const fire = units.map((row) => row.filter((x) => x > 0).length), count = units[0].length;
    const cols = wide ? 128 : 64, side = wide ? 128 + 24 : 0;
    const cell = wide ? M.clamp(Math.floor((room - 2 * side - 70) / cols), 2, 5) : Math.floor((room - 60) / cols * 4) / 4;
    const x = left + side, end = x + cols * cell;
    const tell = (what) => (i) => `${M.quoted(own[i])}, ${what}`;
    if (wide) {
      sketch.say(left, 2, say`in: the vector`, "map-strong");
      sketch.strips([left, TOP, 4, ROW], sketch.rows(stage.before), 32, hue, { tell: tell(say`vector in`) });
      sketch.say(end + 82, 2, say`out`, "map-strong");
      sketch.strips([end + 82, TOP, 4, ROW], sketch.rows(stage.name), 32, hue, { tell: tell(say`vector out`) });
    }
    sketch.say(x, 2, wide ? say`${count} units after ReLU, ${count / cols} lines of ${cols}` : say`${count} units after ReLU`, "map-strong");
    sketch.strips([x, TOP, cell, ROW], units, cols, hue, { tell: tell(say`unit`), scale: M.scaleOf(units), high: ROW - 6 });
    fire.forEach((n, i) => sketch.say(end + 8, TOP + (i + 0.5) * ROW, say`${n} fire`, "map-middle map-from"));
    sketch.first = say`${M.begin(own[sketch.row])}: ${fire[sketch.row]} of ${count} units fire.`;
  }

  const mean = (row) => row.reduce((sum, x) => sum + x, 0) / row.length;
  const deviation = (row) => Math.sqrt(mean(row.map((x) => (x - mean(row)) ** 2)));

  function norm(sketch) {
    const { stage, left, own, wide, colours } = sketch;
    const room = frame(sketch), apart = wide ? 180 : 14, width = (room - apart - (wide ? 150 : 0)) / 2;
    const both = [[sketch.rows(`${stage.ends}.sum`), colours.neutral, wide ? say`before: the vector + what the block found` : say`before`],
      [sketch.rows(stage.ends), sketch.hue, wide ? say`after: centred, scaled, with gain and bias` : say`after`]];
    both.forEach(([rows, hue, words], k) => {
      const x = left + k * (width + apart), middle = x + width / 2;
      const spreads = rows.map(deviation).sort((a, b) => a - b), range = 4 * spreads[Math.floor(spreads.length / 2)];
      sketch.say(x, 2, `${words}, ±${M.number(range, 1)}`, "map-strong");
      sketch.draws.push((context) => rows.forEach((row, i) => {
        const y = TOP + i * ROW;
        M.line(context, x, y + ROW - 5, x + width, 1, M.css(colours.ink, 0.25));
        context.fillStyle = M.css(colours.ink, 0.4);
        context.fillRect(middle, y + 4, 1, ROW - 8);
        context.fillStyle = M.css(hue, 0.6);
        for (const value of row) context.fillRect(middle + M.clamp(value / range, -1, 1) * (width / 2) - 1, y + 6, 2, ROW - 12);
      }));
      if (wide) {
        rows.forEach((row, i) => sketch.say(x + width + 12, TOP + (i + 0.5) * ROW,
          say`mean ${M.number(mean(row))}, sd ${M.number(deviation(row))}`, "map-middle map-from"));
      }
    });
    const [before, after] = both.map(([rows]) => rows[sketch.row]);
    sketch.first = say`${M.begin(own[sketch.row])}: mean ${M.number(mean(before))} and standard deviation ${M.number(deviation(before))}
      before; ${M.number(mean(after))} and ${M.number(deviation(after))} after. Its numbers are ticks on a line with 0 in the middle; larger ones stand at its ends.`;
  }

  /** What the search kept at its end, best first. */
  function beam({ run, translator }) {
    if (!translator || !run.found) return [];
    run.beam ??= finish(translator.translate(run.text, { nBest: 4 })).hypotheses;
    return [h("p", {}, h("strong", {}, say`What beam search kept, best first`),
      say`, with the log probability a token. The same text may be written with other tokens.`),
      h("ol", { className: "map-beam" }, ...run.beam.map(({ ids, logProbability, finished }) => h("li", {},
        h("span", { lang: run.direction.target.lang }, translator.tokenizer.decode(ids)),
        ` ${M.number(logProbability / Math.max(1, ids.length + finished))}`)))];
  }

  function out(sketch) {
    const { run, left, own, hue, wide, colours } = sketch;
    const room = frame(sketch), shown = wide ? 5 : 2, side = wide ? 128 + 28 : 0, width = (room - side) / shown;
    if (wide) {
      sketch.say(left, 2, say`the last vector`, "map-strong");
      sketch.strips([left, TOP, 4, ROW], sketch.rows("decoder"), 32, hue, { tell: (i) => M.quoted(own[i]) });
    }
    for (let k = 0; k < shown; k++) sketch.say(left + side + k * width, 2, k ? `${k + 1}.` : say`most probable`, "map-strong");
    run.next.forEach((row, i) => row.slice(0, shown).forEach(({ name, share, written }, k) => {
      const x = left + side + k * width, y = TOP + (i + 0.5) * ROW;
      sketch.draws.push((context) => {
        context.fillStyle = M.css(written ? hue : colours.neutral, 0.55);
        context.fillRect(x, y + 9, Math.max(1, (width - 14) * share), 3);
      });
      sketch.say(x, y - 3, `${name} ${share < 0.1 ? M.exact(share) : M.percent(share)}`,
        `map-middle map-from ${written ? "map-strong" : ""}`, { maxWidth: `${width - 10}px` });
    }));
    const [best] = run.next[sketch.row] ?? [];
    sketch.first = best ? say`After ${M.quoted(own[sketch.row])} the most probable token is ${M.quoted(best.name)}: ${M.percent(best.share)}.` : "";
    sketch.below = beam(sketch);
  }

  Object.assign(M.sketches, { embed, ffn: network, norm, out });
})();
