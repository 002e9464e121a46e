/** Words and buttons on the map: names of tokens and blocks, the tokens that come next. All of it is text of the page. */
"use strict";

(() => {
  const M = AnnotatedTransformer.map;
  const { h, say, sayWith } = AnnotatedTransformer;

  const text = (words, className = "") => h("span", { className: `map-text ${className}` }, words);

  /** A token of a row as a button; host.follow(side, row) is told of it. */
  function tokens(host, side) {
    const { plan, run } = host;
    const names = side === "enc" ? run.source : run.names;
    const right = side === "enc" ? plan.first : plan.start + plan.second;
    return names.map((name, row) => {
      const strange = side === "enc" && run.strange[row];
      const button = h("button", {
        type: "button", className: `map-token ${side} ${strange ? "map-strange" : ""}`, tabIndex: -1,
        lang: run.direction[side === "enc" ? "source" : "target"].lang,
        onclick: () => host.follow(side, row), onfocus: () => host.follow(side, row),
        onpointerenter: () => host.point(side, row), onpointerleave: () => host.point(null),
      }, name, ...(strange ? [h("span", { className: "live-hidden" }, say` (unknown)`)] : []));
      button.place = [side, row];
      return M.placed(button, 0, plan.y(side, row), { left: "auto", right: `${plan.width - right + 8}px`, maxWidth: `${right - 10}px` });
    });
  }

  /** The blocks as buttons, with their names beside them. */
  function blocks(host) {
    const { plan, run } = host;
    const made = [];
    const add = (stage, block, [x, y, width, height]) => {
      const words = plan.words(stage, block);
      const lit = M.isLit(host.lit, stage.side, block === "norm" ? "norm" : stage.kind);
      const button = h("button", {
        type: "button", className: `map-block ${stage.side} ${lit ? "map-lit" : ""}`, tabIndex: -1,
        "aria-label": M.nameOf(stage, block), onclick: () => host.enter({ ...stage, block }, button),
      }, h("span", { "aria-hidden": "true", style: `width: ${words.long}px` }, words.name));
      Object.assign(button, { stage, block });
      made.push(M.placed(button, x, y, { width: `${width}px`, height: `${height}px` }));
    };
    for (const stage of plan.stages) {
      if (run?.grey && stage.side === "dec") continue;
      add(stage, stage.block, plan.boxOf(stage));
      if (stage.layer !== null && plan.wide) add(stage, "norm", plan.normOf(stage));
    }
    return made;
  }

  /** Names that are no buttons: the layers, the memory, the way back. */
  function names(host) {
    const { plan, run } = host, { source } = (run ?? host).direction;
    const made = [];
    for (const side of run?.grey ? ["enc"] : ["enc", "dec"]) {
      for (let layer = 0; layer < plan.layers; layer++) {
        const [x, y, width, height] = plan.layerOf(side, layer);
        const coder = side === "enc" ? say`Encoder` : say`Decoder`;
        const name = plan.wide ? say`${coder} layer ${layer + 1}` : say`Layer ${layer + 1}`;
        const top = side === "enc" ? y - (plan.wide ? 50 : 36) : y + height + (plan.wide ? 31 : 17);
        made.push(M.placed(text(name, `map-layer ${side}`), x, top, { width: `${width}px` }));
      }
    }
    if (run?.grey) return made;
    if (plan.wide) {
      const memory = text("", "map-note");
      memory.append(...sayWith`The memory: ${h("b", { className: "at-key" }, say`keys`)} and
        ${h("b", { className: "at-value" }, say`values`)} of every ${source.name} token, for both decoder layers`);
      made.push(M.placed(memory, plan.memory + 14, plan.top - 40, { width: `${plan.width - plan.memory - 20}px` }));
    }
    return made;
  }

  /** The tokens that the decoder writes, with their probability: one for each row. */
  function outputs({ plan, run }) {
    const stage = plan.dec.at(-1);
    return run.written.map((name, row) => {
      const { share } = run.next[row].find(({ written }) => written) ?? run.next[row][0];
      const word = h("span", { className: "map-word", lang: run.direction.target.lang }, name);
      const output = h("span", { className: "map-output" }, word,
        ...(plan.wide ? [h("span", { className: "map-share" }, M.percent(share))] : []),
        h("span", { className: "map-bar-of-share", style: `width:${100 * share}%` }));
      return M.placed(output, stage.x0, plan.y("dec", row) - 11, { width: `${stage.x1 - stage.x0}px` });
    });
  }

  /** The loop below the decoder, drawn as a border: each token that is written goes back in. */
  function loop({ plan, run }) {
    if (!plan.wide || run?.grey) return [];
    const x = plan.start + plan.second * 0.5, y = plan.bottom + plan.m * plan.pitch + 6;
    const out = plan.dec.at(-1);
    const border = M.placed(h("span", { className: "map-loop" }), x, y + 34, { width: `${out.x0 + 40 - x}px`, height: "14px" });
    const words = text(say`Each token that is written goes back in, until “end”`, "map-loop-words");
    return [border, M.placed(words, x + 12, y + 49)];
  }

  /** Put all labels of a host's plan and run into its layer; returns {blocks, tokens, outputs}. */
  function label(host, layer) {
    const { run } = host, { source, target } = (run ?? host).direction;
    const before = host.found && [host.found.blocks, host.found.tokens.enc, host.found.tokens.dec];
    const places = before?.map((group) => group.indexOf(document.activeElement)) ?? [];
    const found = { blocks: blocks(host), tokens: { enc: [], dec: [] }, outputs: [] };
    if (run) {
      found.tokens.enc = tokens(host, "enc");
      if (!run.grey) Object.assign(found.tokens, { dec: tokens(host, "dec") });
      if (!run.grey) found.outputs = outputs(host);
    }
    layer.replaceChildren(
      ...names(host), ...loop(host),
      h("div", { role: "group", "aria-label": say`Blocks of the model: arrow keys walk, Enter looks inside` }, ...found.blocks),
      h("div", { role: "group", "aria-label": say`${source.name} tokens: arrow keys choose one` }, ...found.tokens.enc),
      h("div", { role: "group", "aria-label": say`${target.name} tokens: arrow keys choose one` }, ...found.tokens.dec),
      ...found.outputs);
    [found.blocks, found.tokens.enc, found.tokens.dec].forEach((group, n) => {
      // Who stands on one keeps the place: the labels are others now.
      const stop = group[places[n]] ?? (places[n] > 0 ? group.at(-1) : group[0]);
      if (!stop) return;
      stop.tabIndex = 0;
      if (places[n] >= 0) found.focused = stop;
    });
    return found;
  }

  /** Arrow keys within a group of which only one is a stop of the tab key; tells whether it was for them. */
  function walk(event, group) {
    const here = group.indexOf(event.target);
    const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    const to = { Home: 0, End: group.length - 1 }[event.key] ?? (by && (here + by + group.length) % group.length);
    if (here < 0 || to === undefined) return false;
    event.preventDefault();
    group.forEach((element, n) => { element.tabIndex = n === to ? 0 : -1; });
    group[to].focus();
    return true;
  }

  Object.assign(M, { label, walk });
})();
