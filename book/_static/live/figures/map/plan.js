/**
 * Where everything stands: Figure 1 turned a quarter clockwise. Depth goes to the right, the encoder is above and the
 * decoder below, and a token is a row. On a narrow page the decoder begins at the left edge again.
 *
 * A stage is a block of the model with the strips right of it, which are the vectors after it (and after "add & norm").
 */
"use strict";

(() => {
  const { say, sayText } = AnnotatedTransformer;
  const M = AnnotatedTransformer.map;
  const WIDE = 860; // from here on the decoder stands right of the encoder
  const LAYER = [
    { enc: ["self", "ffn"], dec: ["self", "cross", "ffn"] },
    { self: "self_attention", cross: "cross_attention", ffn: "feed_forward" },
    { self: "after_attention", cross: "after_cross_attention", ffn: "after_feed_forward" },
  ];
  const WORDS = {
    embed: [sayText("Embed +\nposition"), say`Embed`], self: [sayText("Self-\nattention"), say`Self`],
    masked: [sayText("Masked\nself"), say`Self`], cross: [sayText("Cross-\nattention"), say`Cross`],
    ffn: [sayText("Feed-\nforward"), say`FFN`], norm: [sayText("Add &\nnorm"), say`Norm`],
    out: [sayText("Linear +\nsoftmax"), say`Next`],
  };
  const NAMES = {
    embed: say`embed + position`, self: say`self-attention`, masked: say`masked self-attention`, cross: say`cross-attention`,
    ffn: say`feed-forward network (FFN)`, norm: say`add & norm`, out: say`linear + softmax, the next token`,
  };

  /** The stages of a side, without places: what a block is, and the tensors that it reads and writes. */
  function stagesOf(side, layers) {
    const coder = side === "enc" ? "encoder" : "decoder";
    const text = side === "enc" ? "source" : "target";
    const [kinds, inside, after] = LAYER;
    const stages = [{ side, kind: "embed", block: "embed", layer: null, name: `${text}_positions`, ends: `${text}_positions` }];
    for (let layer = 0; layer < layers; layer++) {
      for (const kind of kinds[side]) {
        const path = `${coder}.layers.${layer}`;
        stages.push({ side, kind, layer, name: `${path}.${inside[kind]}`, ends: `${path}.${after[kind]}`,
          block: kind === "self" && side === "dec" ? "masked" : kind });
      }
    }
    if (side === "dec") stages.push({ side, kind: "out", block: "out", layer: null, name: "output" });
    stages.forEach((stage, n) => { stage.before = stages[n - 1]?.ends; });
    return stages;
  }

  /** How wide the blocks are where an attention has the width a. */
  function widths(size, a) {
    return (kind) => ({ embed: size.embed, out: size.out, ffn: size.feed * a }[kind] ?? a);
  }

  /** Put the stages of a lane one after the other from x on; returns where the last one ends. */
  function lay(stages, x, size, width) {
    for (const stage of stages) {
      stage.x0 = x;
      stage.x1 = x + width(stage.kind);
      stage.tile = stage.x1 + size.gap;
      x = stage.kind === "out" ? stage.x1 : stage.x1 + size.step;
    }
    return x;
  }

  /** The width of an attention that fills the room: what is fixed and what is shared out, by kinds. */
  function fitting(room, stages, size) {
    const fixed = stages.reduce((sum, { kind }) =>
      sum + widths(size, 0)(kind) + (kind === "out" ? 0 : size.step), 0);
    const shares = stages.reduce((sum, { kind }) => sum + ({ embed: 0, out: 0, ffn: size.feed }[kind] ?? 1), 0);
    return (room - fixed) / shares;
  }

  /**
   * The whole plan for a width, n source and m target tokens, and the widths of their names; `measure` tells how wide
   * a text of 13 pixels is; `low` asks for a map that a low screen shows as a whole.
   *
   * y(side, i): the middle of a row; boxOf(stage), normOf(stage): where one points at a block.
   */
  function plan(width, n, m, [first, second], layers, measure, low) {
    const wide = width >= WIDE;
    const tile = wide ? (width > 1140 ? 32 : 24) : width > 560 ? 16 : 8;
    const gap = wide ? 5 : 2;
    // A feed-forward network is narrower than an attention; a finger still hits it.
    const size = { tile, gap, step: tile + 2 * gap, embed: Math.max(tile + 8, 24), out: wide ? 124 : 72, feed: wide ? 0.7 : 0.9 };
    const pitch = low ? 24 : Math.round(M.clamp(364 / (n + m), 24, 26));
    const enc = stagesOf("enc", layers), dec = stagesOf("dec", layers);
    const head = wide ? 52 : 40, between = wide && !low ? 34 : 26, foot = wide ? 76 : 44;
    let start = 0, memory;
    if (wide) {
      const into = 16; // from the last strip of the encoder to the first cross-attention
      const after = dec.slice(2); // the decoder's blocks that stand right of the encoder
      const a = fitting(width - first - into, [...enc, ...after], size);
      const end = lay(enc, first, size, widths(size, a));
      memory = end - gap;
      const before = lay(dec, 0, size, widths(size, a)) && dec[2].x0;
      start = end + into - before - second;
      lay(dec, start + second, size, widths(size, a));
    } else {
      memory = lay(enc, first, size, widths(size, fitting(width - first - 22, enc, size))) - gap;
      lay(dec, second, size, widths(size, fitting(width - second, dec, size)));
    }
    const top = head, bottom = head + n * pitch + between;
    const y = (side, i) => (side === "enc" ? top : bottom) + (i + 0.5) * pitch;
    const rows = (side) => (side === "enc" ? n : m);
    const column = (side, x, X) => [x, y(side, -0.5) - 3, X - x, rows(side) * pitch + 6];
    /** The longest name of a block that has room above it; on a narrow page it may reach over the strips. */
    const words = (stage, block) => {
      const own = block === "norm" ? size.step : stage.x1 - stage.x0 + (wide && block !== "embed" ? 4 : size.step);
      const fits = (name) => Math.max(...name.split("\n").map(measure)) * 12 / 13 <= own - 2;
      const name = WORDS[block].slice(wide ? 0 : 1).find(fits) ?? "";
      const long = Math.max(...name.split("\n").map(measure)) * 12 / 13;
      return { name: name.replace("-\n", "-").replace("\n", " "), long: Math.ceil(long) + 2 };
    };
    const crosses = dec.filter(({ kind }) => kind === "cross");
    return {
      width, wide, n, m, pitch, tile, gap, first, second, start, memory, top, bottom, y, rows, layers, enc, dec,
      stages: [...enc, ...dec], height: bottom + m * pitch + foot, high: pitch - 6,
      last: crosses.at(-1), crosses, cols: tile === 8 ? 8 : 16,
      boxOf: (s) => column(s.side, s.x0, s.x1), normOf: (s) => column(s.side, s.x1 + 1, s.x1 + size.step - 1),
      layerOf: (side, layer) => {
        const own = (side === "enc" ? enc : dec).filter((s) => s.layer === layer);
        return column(side, own[0].x0 - 2, own.at(-1).x1 + size.step - 1);
      },
      words,
    };
  }

  /** A block's name with its place, for those who do not see it. */
  const nameOf = ({ side, layer, block: before }, block) => {
    const name = block === "norm" ? say`${NAMES.norm} after ${NAMES[before]}` : NAMES[block];
    const coder = side === "enc" ? say`Encoder` : say`Decoder`;
    return `${layer === null ? coder : say`${coder}, layer ${layer + 1}`}: ${name}`;
  };

  /** Whether a chapter is about a block: lit has "enc", "dec.self" and the like. */
  const isLit = (lit, side, kind) => lit.includes(side) || lit.includes(`${side}.${kind}`);

  Object.assign(M, { isLit, nameOf, plan });
})();
