/**
 * What figures with a sentence share: its field with examples, what there is to say of a translation,
 * and a translation in which the words that changed are marked.
 */
"use strict";

(() => {
  const { BadInput, EXTRA_SPACES, h, say } = AnnotatedTransformer;

  /**
   * A field for an English sentence and buttons that fill it; `changed` is called after each change, and
   * `status`, which says what is wrong with a sentence, stands right after the field.
   */
  function sentenceField(sentences, changed, status) {
    const field = h("textarea", {
      className: "live-field", rows: 2, lang: "en", value: sentences[0],
      spellcheck: false, autocomplete: "off", oninput: changed,
    });
    const choose = (sentence) => () => {
      field.value = sentence;
      changed();
    };
    const tries = sentences.map((sentence) => h("button", {
      type: "button", className: "live-button", lang: "en", onclick: choose(sentence),
    }, sentence));
    const label = h("label", { className: "live-label" }, say`English`, field);
    return { field, element: h("div", { className: "live-sentence" }, label, status, h("div", { className: "live-row" }, ...tries)) };
  }

  /** The one sentence in a field, as the model reads it. Throws BadInput. */
  function sentenceIn(field, translator) {
    const { policy } = translator;
    const blank = !policy.impossible(field.value) && !policy.tidy(field.value, []);
    if (blank) throw new BadInput(say`Write an English sentence, or choose one of the examples.`);
    return translator.sentenceOf(field.value);
  }

  /** What there is to say of how the text in a field was read; nothing of spaces that were too many. */
  function readingRemarks(field, { policy }) {
    const { changes, unknownCharacters } = policy.read(field.value);
    const other = changes.filter((change) => change !== EXTRA_SPACES);
    const said = other.length ? [say`Before it is translated: ${other.join("; ")}.`] : [];
    return [...said, ...policy.about({ unknownCharacters }).map((sentence) => `${sentence}.`)];
  }

  /** What a reader has to know of a translation, into a language, that went out of the model's depth. */
  function remarks({ text, finished, unknownWords, unknownCharacters, doubts }, { policy }, language = say`Korean`) {
    const said = policy.about({ unknownCharacters }).map((sentence) => `${sentence}.`);
    const [unknown] = policy.about({ unknownWords });
    if (unknown) said.push(say`I cannot: ${unknown}. The ${language} is a guess.`);
    else if (doubts.length) said.push(say`This may be wrong: ${doubts.join("; ")}.`);
    if (!text.trim()) said.push(say`The model writes nothing.`);
    if (!finished) said.push(say`The translation comes to no end and is cut off.`);
    return said;
  }

  /** Show a translation in grey where there are remarks on it: it is a guess, and they say why. */
  const showDoubt = (element, said) => element.classList.toggle("live-doubtful", said.length > 0);

  const LONGEST = 24; // words of a translation that are shown; one that comes to no end has many

  /** Words of both texts in order as [kind, word], where kind is "kept", "new" or "gone". */
  function changes(before, after) {
    const [a, b] = [before, after].map((text) => text.split(" ").filter(Boolean).slice(0, LONGEST));
    const common = Array.from({ length: a.length + 1 }, () => Array(b.length + 1).fill(0));
    for (let i = a.length - 1; i >= 0; i--) {
      for (let j = b.length - 1; j >= 0; j--) {
        common[i][j] = a[i] === b[j]
          ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
      }
    }
    const found = [];
    for (let i = 0, j = 0; i < a.length || j < b.length;) {
      if (i < a.length && j < b.length && a[i] === b[j]) {
        found.push(["kept", a[i++]]);
        j++;
      } else if (j === b.length || (i < a.length && common[i + 1][j] >= common[i][j + 1])) {
        found.push(["gone", a[i++]]);
      } else found.push(["new", b[j++]]);
    }
    return found;
  }

  /** Nodes for a translation: words that are new since `before` underlined, those that are gone struck out. */
  function marked(before, after) {
    const tags = { kept: "span", new: "ins", gone: "del" };
    const words = changes(before, after).map(([kind, word]) => h(tags[kind], {}, word));
    const nodes = words.flatMap((word) => [word, " "]);
    return after.split(" ").length > LONGEST ? [...nodes, "…"] : nodes;
  }

  Object.assign(AnnotatedTransformer, { changes, marked, readingRemarks, remarks, sentenceField, sentenceIn, showDoubt });
})();
