/**
 * A run is what the map draws: the tokens of a sentence, and what each part of the model made of them.
 *
 *   run.direction                                the one in which it was translated (directions.js)
 *   run.text, run.target                         the sentence, its translation
 *   run.source, run.names, run.written           names of the tokens: read, given to the decoder, written after each
 *   run.spoken[r]                                the translation as far as row r has written it
 *   run.next[r]                                  the most probable tokens after row r: {name, share, written}
 *   run.vectors(name), run.units(name)           {rows, scale}; units are those of a feed-forward network after ReLU
 *   run.mean(name)                               attention weights [query][key], mean of the heads
 *   run.tensor(name)                             all the numbers, once the model is there (transformer.js)
 *   run.words                                    {source, target}: words as {name, from, to}, tokens from and up to
 *   run.strange[i]                               whether a source token belongs to a word that the model does not know
 *   run.grey                                     the decoder did not run, because of such a word
 */
"use strict";

(() => {
  const M = AnnotatedTransformer.map;
  const { BOS, EOS, SPACE_MARK, meanOfHeads, say, sinusoids } = AnnotatedTransformer;
  const [START, END] = [say`start`, say`end`]; // how a sentence's two special tokens are called
  const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const LEVELS = 31; // as book/_tools/live_trace.py writes them
  const SHOWN = 6;
  const MOST = 24; // tokens of a language for which the map has room

  /** A token as a reader knows it: its piece, with a dot before what goes on inside of a word. */
  function nameOf(piece) {
    if (piece === "<start>") return START;
    if (piece === "<end>") return END;
    if (piece === SPACE_MARK) return say`space`;
    return piece.startsWith(SPACE_MARK) ? piece.slice(1) : `·${piece}`;
  }

  const value = (character) => DIGITS.indexOf(character);

  /** Rows of a matrix from a character for each number. */
  const unpacked = ({ scale, rows }) => ({
    scale, rows: rows.map((row) => Float32Array.from(row, (c) => (value(c) - LEVELS) * scale / LEVELS)),
  });

  /** Rows of units from pairs of a gap and a strength; a gap of 63 goes on. */
  const fired = ({ scale, width, rows }) => ({
    scale, rows: rows.map((text) => {
      const row = new Float32Array(width);
      for (let n = 0, place = -1; n < text.length; n++) {
        while (text[n] === "/") { place += 63; n++; }
        place += value(text[n++]) + 1;
        row[place] = value(text[n]) * scale / LEVELS;
      }
      return row;
    }),
  });

  /** The text that pieces make. */
  const spell = (pieces) => pieces.join("").replaceAll(SPACE_MARK, " ").trim();

  const CLOSES = /^[.?]$/; // a word of its own here: what is looked at to end a sentence says nothing of its last word

  const isSpecial = (piece) => piece === "<start>" || piece === "<end>";

  /** The words that pieces make, {name, from, to}, and the end of the sentence as one more. */
  function wordsOf(pieces) {
    const words = [];
    pieces.forEach((piece, i) => {
      const last = words.at(-1);
      if (isSpecial(piece)) words.push({ name: nameOf(piece), from: i, to: i + 1, end: true });
      else if (!last || piece.startsWith(SPACE_MARK) || CLOSES.test(piece)) words.push({ name: spell([piece]), from: i, to: i + 1 });
      else Object.assign(last, { name: last.name + piece, to: i + 1 });
    });
    return words;
  }

  /** Attention between words: columns add up, rows are averaged. A row for each word that was written, none for the end. */
  function across(run, name) {
    const rows = run.mean(name), source = run.words.source, target = run.words.target.filter(({ end }) => !end);
    const sum = (numbers) => numbers.reduce((total, x) => total + x, 0);
    const weights = target.map(({ from, to }) => source.map((word) =>
      sum(rows.slice(from, to).map((row) => sum(row.slice(word.from, word.to)))) / (to - from)));
    return { source, target, weights };
  }

  /** The run that came with the page (trace.js). */
  function storedRun() {
    const { model, text, target, sourceNames, names, vectors, units, weights, next } = M.trace;
    const written = names.slice(1);
    return {
      direction: M.directions.find((direction) => direction.model === model),
      text, target, live: false, grey: false, strange: sourceNames.map(() => false), parts: 1, cut: false,
      words: { source: wordsOf(sourceNames), target: wordsOf(written) },
      source: sourceNames.map(nameOf), names: names.slice(0, -1).map(nameOf), written: written.map(nameOf),
      spoken: written.map((_, r) => spell(written.slice(0, r + 1).filter((piece) => piece !== "<end>"))),
      next: next.map((row, r) => row.map(([piece, share]) => (
        { name: nameOf(piece), share, written: piece === written[r] }))),
      vectors: (name) => unpacked(vectors[name]), units: (name) => fired(units[name]),
      mean: (name) => weights[name], tensor: () => null,
    };
  }

  /** The most probable tokens of a row of logits, with the one that was written. */
  function following(row, writtenId, pieceOf) {
    const { bestTokens } = AnnotatedTransformer;
    const best = bestTokens(row, SHOWN).sort((a, b) => b[1] - a[1]);
    if (!best.some(([id]) => id === writtenId)) best[SHOWN - 1] = [writtenId, row[writtenId]];
    const most = row.reduce((largest, x) => Math.max(largest, x), -Infinity);
    const sum = row.reduce((total, x) => total + Math.exp(x - most), 0);
    return best.map(([id, logit]) => (
      { name: nameOf(pieceOf(id)), logit, share: Math.exp(logit - most) / sum, written: id === writtenId }));
  }

  /** Which source tokens belong to a word that the model does not know. */
  function strangeTokens(text, count, { tokenizer, policy }) {
    const spans = tokenizer.wordSpans(text);
    const flags = Array(count).fill(false);
    text.split(" ").forEach((word, n) => {
      if (policy.unknownWords(policy.wordsOf(word)).length) flags.fill(true, ...spans[n]);
    });
    return flags;
  }

  /** Whether two runs are the same: of the same text in the same direction, with the same end. */
  const same = (one, other) => one?.direction === other.direction && one.text === other.text && one.grey === other.grey;

  /** Run the model over a sentence and the translation that the search found (none: the encoder alone). */
  function makeRun(direction, translator, text, found) {
    const { model, tokenizer, config } = translator;
    const seen = new Map();
    const keep = (name, tensor) => { seen.set(name, tensor); };
    const pieceOf = (id) => ({ [BOS]: "<start>", [EOS]: "<end>" })[id] ?? tokenizer.pieces[id];
    const sourceIds = translator.sourceIds(text);
    const memory = model.encode(sourceIds, keep);
    const ids = found ? [BOS, ...found.ids].slice(0, config.max_length) : [BOS];
    const written = found ? [...found.ids, ...(found.finished ? [EOS] : [])].slice(0, ids.length) : [];
    const logits = model.decode(ids, memory, keep);
    const n = Math.min(sourceIds.length, MOST), m = Math.min(ids.length, MOST);
    const some = (rows, most) => rows.slice(0, most);
    const count = (name) => (name.startsWith("enc") || name.startsWith("source") ? n : m);
    const rowsOf = (name) => some(seen.get(name).rows(), count(name));
    const kept = new Map();
    const once = (name, make) => {
      if (!kept.has(name)) kept.set(name, make());
      return kept.get(name);
    };
    const scaled = (rows) => ({ rows, scale: M.scaleOf(rows) });
    return {
      direction, text, target: found?.text ?? "", live: true, grey: !found, found,
      cut: sourceIds.length > n || ids.length > m,
      words: { source: wordsOf(some(sourceIds, n).map(pieceOf)), target: wordsOf(some(written, m).map(pieceOf)) },
      strange: some(strangeTokens(text, sourceIds.length, translator), n),
      source: some(sourceIds, n).map((id) => nameOf(pieceOf(id))),
      names: some(ids, m).map((id) => nameOf(pieceOf(id))),
      written: some(written, m).map((id) => nameOf(pieceOf(id))),
      spoken: some(written, m).map((id, r) => tokenizer.decode(found.ids.slice(0, r + (id === EOS ? 0 : 1)))),
      next: some(written, m).map((id, r) => following(logits.row(r), id, pieceOf)),
      vectors: (name) => once(name, () => scaled(rowsOf(name))),
      units: (name) => once(`${name} fired`, () => scaled(rowsOf(name).map((row) => row.map((x) => Math.max(0, x))))),
      mean: (name) => once(`${name} mean`, () => {
        const rows = meanOfHeads(seen.get(`${name}.weights`));
        return some(rows, count(name)).map((row) => some(row, name.includes("cross") ? n : count(name)));
      }),
      tensor: (name) => seen.get(name),
    };
  }

  /** The sinusoids of the first places, {rows, scale}. */
  function places(count, width) {
    const rows = sinusoids(count, width).rows();
    return { rows, scale: 1 };
  }

  /** How many letters have to change to make one word the other; no more than `most` are counted. */
  function distance(a, b, most) {
    if (Math.abs(a.length - b.length) > most) return most + 1;
    let [older, before] = [[], [...Array(b.length + 1).keys()]];
    for (let i = 1; i <= a.length; i++) {
      const row = [i];
      for (let j = 1; j <= b.length; j++) {
        row[j] = Math.min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a[i - 1] !== b[j - 1]));
        const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
        if (swapped) row[j] = Math.min(row[j], older[j - 2] + 1);
      }
      [older, before] = [before, row];
    }
    return before[b.length];
  }

  /** A word as its letters: a syllable of Hangul is two or three. */
  const letters = (word) => word.toLowerCase().normalize("NFD");

  /** The known words that an unknown one may be: of Korean stems the forms that end as it does. */
  function* candidates(word, { words, paradigms }) {
    yield* words;
    for (const { stems, endings } of paradigms) {
      for (const ending of endings) {
        if (!letters(word).endsWith(letters(ending))) continue;
        for (const stem of stems) yield (stem + ending).normalize("NFC");
      }
    }
  }

  /** The known word that is spelled most like an unknown one, or null; `policy` has the known ones (text.js). */
  function nearest(word, policy) {
    const small = letters(word), most = word.length < 5 ? 1 : 2;
    let [best, least] = [null, most + 1];
    for (const other of candidates(word, policy)) {
      const far = distance(small, letters(other), most);
      if (far < least) [best, least] = [other, far];
    }
    return best;
  }

  Object.assign(M, { END, START, across, makeRun, nearest, places, same, storedRun });
})();
