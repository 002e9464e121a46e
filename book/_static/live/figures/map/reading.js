/** From what somebody typed to what the map shows of it: runs, what there is to say, and what one can do about it. */
"use strict";

(() => {
  const M = AnnotatedTransformer.map;
  const { BadInput, h, readingRemarks, remarks, say } = AnnotatedTransformer;

  /**
   * Read the host's field: {parts, said, offers, doubts, run}. Throws BadInput.
   *
   * parts: {text, unknown, found} for each sentence; found is null where a word is unknown and the reader did not ask for
   * a guess. run: that of the sentence which is shown; the host's own if it is the same.
   */
  function* read(host, translator) {
    const { direction, direction: { source, target } } = host;
    const { policy } = translator, typed = host.field.value;
    const blank = !policy.impossible(typed) && !policy.tidy(typed, []);
    if (blank) throw new BadInput(say`Write a sentence in ${source.name}, or choose one of those below.`);
    const reading = translator.read(typed), parts = [];
    for (const text of reading.sentences) {
      const unknown = policy.unknownWords(policy.wordsOf(text));
      const found = unknown.length && !host.guess ? null : yield* translator.translate(text);
      parts.push({ text, unknown, found });
    }
    host.part = Math.min(host.part, parts.length - 1);
    const { text, found } = parts[host.part];
    const same = host.run?.live && M.same(host.run, { direction, text, grey: !found });
    const run = same ? host.run : M.makeRun(direction, translator, text, found);
    const doubts = doubtsOf(parts, reading, translator, target.name);
    const missing = [...new Set(parts.flatMap((part) => (part.found ? [] : part.unknown)))];
    const cut = run.cut ? [say`The map has room for the first tokens of this sentence only; the ${target.name} is that of all of it.`] : [];
    const said = [...readingRemarks(host.field, translator), ...refusal(missing, parts, translator), ...doubts, ...cut].join(" ");
    return { parts, run, said, doubts, offers: [...help(host, missing, translator), ...choice(host, parts)] };
  }

  /** What makes the translations doubtful, as sentences. */
  function doubtsOf(parts, reading, translator, language) {
    const translated = parts.flatMap(({ found }) => (found ? [found] : []));
    if (!translated.length) return [];
    return remarks({
      text: translated.map(({ text }) => text).join(" "), finished: translated.every(({ finished }) => finished),
      unknownWords: translated.length === parts.length ? reading.unknownWords : [], unknownCharacters: [],
      doubts: translator.doubts(translated),
    }, translator, language);
  }

  /** Why a sentence is not translated. */
  function refusal(unknown, parts, { policy }) {
    const [about] = policy.about({ unknownWords: unknown });
    const left = parts.some(({ found }) => found) ? say`A sentence with such a word is left out` : say`Nothing is written`;
    return about ? [say`I cannot: ${about}. ${left}.`] : [];
  }

  const button = (name, act, more = {}) => h("button", { type: "button", className: "live-button", onclick: act, ...more }, name);

  /** The nearest spelling of unknown words, and a guess in spite of them. */
  function help(host, unknown, { policy }) {
    if (!unknown.length) return [];
    const spellings = unknown.slice(0, 2).flatMap((word) => {
      const near = M.nearest(word, policy);
      const write = () => {
        host.field.value = host.field.value.replace(word, near);
        host.begin();
      };
      return near ? [button(`${word} → ${near}`, write, { "aria-label": say`Write ${near} for ${word}` })] : [];
    });
    const guess = () => {
      host.guess = true;
      host.update();
    };
    return [...spellings, button(say`Let it guess`, guess)];
  }

  /** A button for each of several sentences: the map shows one. */
  function choice(host, parts) {
    if (parts.length < 2) return [];
    return parts.map((_, n) => button(say`Sentence ${n + 1}`, () => {
      host.part = n;
      host.update();
    }, { "aria-pressed": String(n === host.part) }));
  }

  M.read = read;
})();
