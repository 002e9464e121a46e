/**
 * Korean particles: which of two forms follows a word, by the sound that it ends with.
 *
 *   josa("학생", "은/는")                    // "은": after a consonant the first form
 *   fill("{0|이/가} {1}개", ["값", 3])      // ["값", "이", " ", 3, "개"]: what words.js makes of a Korean text
 *   fill("'{0}'{0:이/가}", ["값"])          // ["'", "값", "'", "이"]: the particle alone, after a quotation mark
 *
 * Only a page in Korean loads this.
 */
"use strict";

(() => {
  const FIRST = 0xac00, LAST = 0xd7a3; // 가 to 힣: 28 of them for each vowel, by the consonant at the end
  const RIEUL = 8;
  // How digits are read (영, 일, 삼, 육, 칠, 팔), letters by their names (엘, 엠, 엔, 알), and most words that end so.
  const ENDINGS = { 0: "c", 1: "l", 3: "c", 6: "c", 7: "l", 8: "l", l: "l", m: "c", n: "c" };
  const NAME_OF_R = /(^|[^A-Za-z])r$|R$/; // a letter of its own; a word that ends in r, such as "car", has a vowel there
  const SILENT = /[\s"'”’)\]}>.,:;!?…·]+$/u;
  const ASIDE = /(\S)\s*\([^()]*\)$/; // 줄 바꿈(U+000A): the particle follows the word
  // English words whose last letter is not their last sound: table and smile, home and phone, king, climb, cat and black, book.
  const SOUNDS = [
    ["l", /[aeiouy].*le$/],
    ["c", /[aeiouy].*[mn]e$|ng$|mb$|(^|[^aeiou])[aeiou](p|t|k|c|ck)$|ook$|^(ab|with)?out$/],
  ];

  /** The sound at the end of a word: "" for a vowel, "l" for ㄹ, "c" for any other consonant. */
  function ending(word) {
    const text = String(word).replace(ASIDE, "$1").replace(SILENT, "");
    const last = [...text].at(-1) ?? "";
    const code = last.codePointAt(0) ?? 0;
    if (code >= FIRST && code <= LAST) {
      const final = (code - FIRST) % 28;
      return final === 0 ? "" : final === RIEUL ? "l" : "c";
    }
    const [english = ""] = /[a-z]$/.test(text) ? /[A-Za-z]+$/.exec(text) : [];
    const [sound] = SOUNDS.find(([, words]) => words.test(english.toLowerCase())) ?? [];
    return sound ?? ENDINGS[last.toLowerCase()] ?? (NAME_OF_R.test(text) ? "l" : "");
  }

  /** The form of a pair such as 은/는, 이/가, 을/를, 과/와 or 으로/로 that follows a word. */
  function josa(word, pair) {
    const [afterConsonant, afterVowel] = pair.split("/");
    const end = ending(word);
    if (!end || (end === "l" && afterConsonant.startsWith("으로"))) return afterVowel;
    return afterConsonant;
  }

  /** A text with its values put in: {0} is the first, {0|은/는} the same with its particle, {0:은/는} the particle alone. */
  function fill(text, values) {
    return text.split(/(\{\d+(?:[|:][^{}]*)?\})/).flatMap((part, n) => {
      if (n % 2 === 0) return part ? [part] : [];
      const [, place, mark, pair] = /^\{(\d+)([|:]?)(.*)\}$/.exec(part);
      const value = values[Number(place)];
      if (!mark) return [value];
      const particle = josa(value instanceof Node ? value.textContent : value, pair);
      return mark === "|" ? [value, particle] : [particle];
    });
  }

  Object.assign(AnnotatedTransformer, { fill, josa });
})();
