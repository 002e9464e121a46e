/** Figure *The whole model*: the numbers of a step, as bars and tables. */
"use strict";

(() => {
  const { h, say, svg } = AnnotatedTransformer;

  const fixed = (value) => value.toFixed(2).replace("-", "−").replace(/^−(0\.?0*)$/, "$1");
  const percent = (value) => say`${(100 * value).toFixed(2)} %`;
  const shape = (axes, sizes) => `(${axes.split(" ").map((axis) => sizes[axis] ?? axis).join(", ")})`;

  const COLOURS = { [say`query`]: "query", [say`key`]: "key", [say`value`]: "value" };
  const TITLES = {
    row: (whose) => say`Row of ${whose}`,
    heads: (whose, what) => `${whose}: ${what}`,
    units: (whose) => say`${whose}: units`,
    scores: (whose) => say`Scores of ${whose}`,
    weights: (whose) => say`Weights of ${whose}`,
    logits: (whose) => say`The five highest scores after ${whose}`,
    shares: (whose) => say`The five most probable tokens after ${whose}`,
  };

  /** What a step shows of a tensor: its shape and, once the tensor is there, the row that is followed. */
  function numbers([form, name, axes, what], part, { read, i, t }) {
    const { sizes, source, written } = read;
    const [row, whose] = part === "encoder" ? [i, source[i]] : [t, written[t]];
    const title = h("p", { className: "live-label" }, say`${TITLES[form](whose, what)}, of `,
      h("span", { className: "journey-shape" }, `(${axes.replaceAll(" ", ", ")}) = ${shape(axes, sizes)}`));
    const tensor = read.seen.get(name);
    const values = tensor?.row(row);
    if (!values) return [title];
    if (axes.startsWith("h") && form !== "heads") {
      const [keys, own, past] = axes.endsWith("n") ? [source, i, Infinity] : [written, t, t];
      return [title, table(tensor, row, { form, keys, own, past })];
    }
    if (axes.endsWith("V")) return [title, five(values, read.pieces, form)];
    if (form !== "units") return [title, ...strip(values, COLOURS[what] ?? part, form === "heads" ? sizes.h : 1)];
    const units = values.map((value) => Math.max(0, value));
    const count = units.filter(Boolean).length;
    return [title, ...strip(units, part, 1,
      say`${count} of ${units.length} units ${count === 1 ? "is" : "are"} above 0; `)];
  }

  /** A row as bars, up for positive numbers; then its first numbers and its norm. */
  function strip(values, colour, parts, before = "") {
    const width = values.length;
    const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const bars = Array.from(values, (value, n) => `M${n + 0.5} 0V${(-value / (largest || 1)).toFixed(3)}`);
    const between = Array.from({ length: parts - 1 }, (_, n) => `M${(n + 1) * width / parts} -1V1`);
    return [
      svg("svg", { viewBox: `0 -1 ${width} 2`, preserveAspectRatio: "none", class: "journey-strip", role: "img",
        "aria-label": parts > 1 ? say`${width} numbers as bars, ${width / parts} for each head` : say`${width} numbers as bars` },
      svg("path", { d: `M0 0H${width}${between.join("")}`, class: "journey-axis" }),
      svg("path", { d: bars.join(""), class: `journey-bars journey-${colour}` })),
      h("p", { className: "live-note" }, say`${before}${Array.from(values.slice(0, 3), fixed).join(", ")} …;
        norm ${fixed(Math.hypot(...values))}; the longest bar is ${fixed(largest)}`),
    ];
  }

  const share = (value, text = fixed(value)) => h("td", { className: "attention-weight" },
    h("span", { className: "attention-bar", style: `width: ${100 * value}%` }), h("span", {}, text));

  /** Scores or weights of one query in all heads, a row for each key; keys after `past` are masked. */
  function table({ shape: [heads, queries], data }, row, { form, keys, own, past }) {
    const at = [...Array(heads).keys()];
    const cell = (value, j) => {
      if (j > past) return h("td", {}, say`masked`);
      return form === "weights" ? share(value) : h("td", {}, fixed(value));
    };
    return tabled([say`key`, ...at.map((n) => say`head ${n + 1}`)], keys.map((key, j) => [key, j === own,
      ...at.map((n) => cell(data[(n * queries + row) * keys.length + j], j))]));
  }

  /** The five tokens with the highest scores: these, or their probabilities. */
  function five(scores, pieces, form) {
    const order = [...scores.keys()].sort((a, b) => scores[b] - scores[a]).slice(0, 5);
    const sum = scores.reduce((total, score) => total + Math.exp(score - scores[order[0]]), 0);
    const probability = (id) => Math.exp(scores[id] - scores[order[0]]) / sum;
    return tabled([say`token`, form === "logits" ? say`score` : say`probability`], order.map((id, n) => [pieces(id), !n,
      form === "logits" ? h("td", {}, fixed(scores[id])) : share(probability(id), percent(probability(id)))]));
  }

  /** A table from rows [name, is it the one that is followed, ...cells]; a long one scrolls. */
  function tabled(head, rows) {
    const body = rows.map(([name, own, ...cells]) => h("tr", { className: own ? "journey-own" : "" },
      h("th", { scope: "row" }, name), ...cells));
    const found = h("table", { className: "attention-table" },
      h("thead", {}, h("tr", {}, ...head.map((text) => h("th", { scope: "col" }, text)))), h("tbody", {}, ...body));
    return h("div", rows.length > 12 ? {
      className: "journey-scroll", tabIndex: 0, role: "region", "aria-label": say`Scores of all tokens`,
    } : {}, found);
  }

  Object.assign((AnnotatedTransformer.journey ??= {}), { numbers, shape });
})();
