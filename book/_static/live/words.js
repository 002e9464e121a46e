/**
 * The words of the figures, in the language of the page.
 *
 * A figure's texts stand in it in English, tagged with `say`:
 *
 *   say`Step ${n} of ${all}`                       // a string
 *   ...sayWith`What it writes (${element})`        // a list of strings and nodes, for a text with elements in it
 *   sayText(text)                                  // a text that was written elsewhere, such as a name in tables.toml
 *
 * A line break in the English, with the indentation after it, is a space. The English is the key of what a page in
 * Korean says: "Step {0} of {1}" in words.ko.js or figures/NAME.ko.js, which only such a page loads
 * (book/_ext/live_figures.py). A text without Korean stays in English; book/_ext/live_words.py finds it before that.
 */
"use strict";

window.AnnotatedTransformer ??= {};

(() => {
  const language = document.documentElement.lang === "ko" ? "ko" : "en";
  const words = {};

  /** Add texts of the page's language, by their English. */
  const addWords = (more) => Object.assign(words, more);

  /** The strings between the values of a template, with its lines joined. */
  const oneLine = (strings) => strings.map((text) => text.replace(/ *\n {2,}/g, " "));

  /** A template's English as a key. */
  const keyOf = (strings) => strings.reduce((key, text, n) => `${key}{${n - 1}}${text}`);

  /** Its parts in the language of the page: strings, values, and the particles that follow these. */
  function partsOf(template, values) {
    const strings = oneLine(template);
    const said = words[keyOf(strings)];
    if (said !== undefined) return AnnotatedTransformer.fill(said, values);
    return strings.flatMap((text, n) => (n ? [values[n - 1], text] : [text]));
  }

  const say = (template, ...values) => partsOf(template, values).join("");
  const sayWith = (template, ...values) => partsOf(template, values);
  const sayText = (text) => words[text] ?? text;

  Object.assign(AnnotatedTransformer, { addWords, language, say, sayText, sayWith });
})();
