/** What the map says: of a moment, of a token, and of the whole run in words. */
"use strict";

(() => {
  const M = AnnotatedTransformer.map;
  const { h, say } = AnnotatedTransformer;
  const LISTED = 3;

  const quoted = (name) => (name === M.START ? say`the start of the sentence`
    : name === M.END ? say`the end of the sentence` : `“${name}”`);

  const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
  /** The same at the beginning of a sentence. */
  const begin = (name) => capital(quoted(name));

  /** Where a row of weights went, such as “doctor” 99 %, “car” 1 %: those of 1 % and more, three at most. */
  function most(weights, names) {
    const order = weights.map((_, j) => j).sort((a, b) => weights[b] - weights[a]).slice(0, LISTED);
    const listed = order.filter((j, n) => !n || weights[j] >= 0.01);
    return listed.map((j) => `${quoted(names[j])} ${M.percent(weights[j])}`).join(", ");
  }

  const largest = (row) => row.indexOf(Math.max(...row));

  /** Attention between the words of both languages, in the decoder's last layer. */
  const between = ({ run, plan }) => M.across(run, plan.last.name);

  /** The word whose writing is told first: it looked most at one word of the source that is not a short one. */
  function finding(host) {
    const { run } = host;
    if (run.finding) return run.finding;
    if (run.grey) return { row: 0, token: Math.max(0, run.strange.indexOf(true)) };
    const { source, target, weights } = between(host);
    let best = { row: 0, token: 0, share: -1 };
    weights.forEach((row, t) => row.forEach((share, n) => {
      const { name, from, end } = source[n];
      if (share > best.share && name.length >= run.direction.source.least && !end) best = { row: target[t].from, token: from, share };
    }));
    run.finding = best;
    return best;
  }

  /** Of the word that row r writes a part of: what it looked at. */
  function ofWritten(host, row) {
    const { run } = host;
    if (run.written[row] === undefined) return { title: say`The translation comes to no end`, words: "" };
    const { source, target, weights } = between(host), names = source.map(({ name }) => name);
    const t = target.findIndex(({ from, to }) => row >= from && row < to);
    if (t < 0) return { title: say`Here it ends`, words: say`The end of the sentence was written with ${M.percent(run.next[row][0].share)}.` };
    return {
      title: say`Writing ${quoted(target[t].name)}, it looked at ${quoted(names[largest(weights[t])])}`,
      words: say`${capital(most(weights[t], names))}: its attention over the ${run.direction.source.name} in the last layer, mean of the heads.`,
    };
  }

  /** Of a token of the source: which words of the target looked at its word. */
  function ofSource(host, token) {
    const { name: language } = host.run.direction.target;
    const { source, target, weights } = between(host);
    const n = source.findIndex(({ from, to }) => token >= from && token < to);
    return {
      title: say`${begin(source[n].name)} in the ${language}`,
      words: say`${language} words looked at it with these shares: ${most(weights.map((row) => row[n]), target.map(({ name }) => name))}.`,
    };
  }

  const TOLD = {
    embed: ({ side, own, row }) => (side === "enc"
      ? [say`Words become vectors`, say`Each token is a row of a table, 128 numbers. Its place adds a pattern of waves.`]
      : [say`What is written goes in`, say`${begin(own[row])} is token ${row + 1} of what the decoder reads.`]),
    self: ({ side, own, row, weights, layer }) => (side === "enc"
      ? [say`Each token asks all tokens`, say`${begin(own[row])} asks, the keys answer, the values flow: ${most(weights[row], own)} (layer ${layer + 1}).`]
      : [say`It looks back`, say`${begin(own[row])} may look only at what is written: ${most(weights[row].slice(0, row + 1), own)}.`]),
    cross: ({ run, own, row, weights, layer }) =>
      [say`And across, at the ${run.direction.source.name}`, say`To go on after ${quoted(own[row])}: ${most(weights[row], run.source)} (layer ${layer + 1}).`],
    ffn: ({ own, row, fired, units }) =>
      [say`Then each vector by itself`, say`A small network works on ${quoted(own[row])} alone. Of its ${units} units,
        ${fired} are not zero: the dots.`],
    out: ({ run, own, row }) => [say`The next token`, say`After ${quoted(own[row])}:
      ${run.next[row].slice(0, LISTED).map(({ name, share }) => `${name} ${M.percent(share)}`).join(", ")}.`],
  };

  /** What happens at a place of the playback. */
  function ofPhase(host, { stage, row, back }) {
    const { run } = host;
    if (back) return { title: say`It goes back in`, words: say`${begin(run.written[row])} is read before the next token is written.` };
    const { side, kind, name, layer } = stage;
    const here = row ?? host.followed().enc;
    const units = kind === "ffn" ? run.units(`${name}.inner`).rows[here] : [];
    const [title, words] = TOLD[kind]({
      run, side, layer, row: here, own: side === "enc" ? run.source : run.names,
      weights: ["self", "cross"].includes(kind) ? run.mean(name) : null,
      fired: units.filter((x) => x > 0).length, units: units.length,
    });
    return { title, words };
  }

  /** What stands in the free corner of the map. */
  function told(host) {
    const { run, hover, chosen } = host;
    if (!run) return { title: "", words: "" };
    if (run.grey) {
      return { title: say`Nothing is written`, words: say`The underlined pieces are all that the model gets of a word that was not in its
        training text. What it wrote would look right and need not be, so the decoder does not run.` };
    }
    const [side, row] = hover ?? (host.player.playing ? null : chosen) ?? [];
    if (side === "dec") return ofWritten(host, row);
    if (side === "enc") return ofSource(host, row);
    if (host.done) {
      const { title, words } = ofWritten(host, finding(host).row);
      return { title, words: say`${words} Choose another word, or a block to look inside.` };
    }
    return ofPhase(host, host.phase);
  }

  /** The run in words, for those who do not see it and for those who want to read it. */
  function inWords(host) {
    const { run, plan } = host;
    const item = (words) => h("li", {}, words);
    const line = (stage, names, keys) => item(`${M.nameOf(stage, stage.block)}. ` +
      run.mean(stage.name).map((row, i) => say`${quoted(names[i])} takes ${most(row, keys)}`).join("; ") + ".");
    const lines = [item(say`The encoder reads ${run.source.map(quoted).join(", ")}.`)];
    for (const stage of plan.enc) if (stage.kind === "self") lines.push(line(stage, run.source, run.source));
    if (run.grey) return [...lines, item(say`The decoder does not run, because of a word that the model does not know.`)];
    for (const stage of plan.dec) {
      if (stage.kind === "self") lines.push(line(stage, run.names, run.names));
      if (stage.kind === "cross") lines.push(line(stage, run.names, run.source));
    }
    const written = run.written.map((name, r) => {
      const { share } = run.next[r].find(({ written }) => written) ?? { share: 0 };
      return say`after ${quoted(run.names[r])} ${quoted(name)} with ${M.percent(share)}`;
    }).join("; ");
    lines.push(item(say`The decoder writes: ${written}.`));
    return lines;
  }

  Object.assign(M, { begin, finding, inWords, largest, most, quoted, told });
})();
