/**
 * Text to token ids and back, as annotated_transformer/tokenizer.py: sentencepiece's byte pairs.
 *
 * The models of this package are trained without normalisation (serving/browser.py refuses any other):
 * each space becomes "▁", one more is put before the first word, and nothing else changes.
 */
"use strict";

window.AnnotatedTransformer ??= {};

(() => {
  const [BOS, EOS] = [1, 2];
  const FIRST_BYTE = 4; // ids 0 to 3 are the specials, then come the 256 bytes
  const SPACE_MARK = "▁";
  const NOT_KEPT = {
    "\n": "a line feed ends a line, and a text is one line",
    [SPACE_MARK]: "sentencepiece writes it for a space",
  };

  const bytesOf = (text) => new TextEncoder().encode(text);
  const codeOf = (character) =>
    `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;

  /** Throw an Error that names the first character that the tokenizer cannot keep. */
  function checkText(text) {
    const characters = [...text]; // by code point, so that positions are those of Python
    for (const [character, reason] of Object.entries(NOT_KEPT)) {
      const position = characters.indexOf(character);
      if (position >= 0) throw Error(`${codeOf(character)} at position ${position} of a text: ${reason}`);
    }
    const half = characters.findIndex((character) => /^[\uD800-\uDFFF]$/.test(character));
    if (half >= 0) {
      const code = codeOf(characters[half]);
      throw Error(`${code} at position ${half} of a text: a lone surrogate is no character`);
    }
  }

  /** pieces[id] is the piece of each id; of two pieces the one with the lower id was learned first. */
  class Tokenizer {
    constructor(pieces) {
      this.pieces = pieces;
      this.ids = new Map(pieces.map((piece, id) => [piece, id]).slice(FIRST_BYTE + 256));
      this.longest = Math.max(...pieces.map((piece) => [...piece].length));
    }

    /** The ids of a line, without those for its beginning and end. */
    encode(text) {
      checkText(text);
      if (!text) return [];
      // No piece goes on into the next word, so each word is joined by itself.
      const words = (SPACE_MARK + text.replaceAll(" ", SPACE_MARK)).split(/(?=▁)/u);
      return words.flatMap((word) => this.encodeWord(word));
    }

    /** The ids of a word with its mark; a character without a piece becomes its bytes. */
    encodeWord(word) {
      return this.join(word).flatMap((piece) => {
        const id = this.ids.get(piece);
        return id === undefined ? [...bytesOf(piece)].map((byte) => FIRST_BYTE + byte) : [id];
      });
    }

    /** Characters to pieces: join the two neighbours that were learned first, until none fit. */
    join(word) {
      const parts = [...word];
      const rank = (i) => this.ids.get(parts[i] + parts[i + 1]) ?? Infinity;
      const ranks = parts.map((_, i) => (i + 1 < parts.length ? rank(i) : Infinity));
      for (;;) {
        let best = 0;
        for (let i = 1; i < ranks.length; i++) if (ranks[i] < ranks[best]) best = i;
        if (ranks[best] === Infinity) return parts;
        parts.splice(best, 2, parts[best] + parts[best + 1]);
        ranks.splice(best + 1, 1);
        for (const i of [best - 1, best]) {
          if (i >= 0) ranks[i] = i + 1 < parts.length ? rank(i) : Infinity;
        }
      }
    }

    /** The text of ids, without the specials; bytes that are not UTF-8 become U+FFFD. */
    decode(ids) {
      const bytes = ids.flatMap((id) => {
        if (id < FIRST_BYTE) return [];
        return id < FIRST_BYTE + 256 ? [id - FIRST_BYTE] : [...bytesOf(this.pieces[id])];
      });
      const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(new Uint8Array(bytes));
      return text.replaceAll(SPACE_MARK, " ").replace(/^ /, "");
    }

    /** [start, stop) among the tokens for each word of text.split(" "), as `word_spans` in Python. */
    wordSpans(text) {
      if (!text) return [[0, 0]];
      let stop = 0;
      return text.split(" ").map((word) => {
        const start = stop;
        stop += this.encodeWord(SPACE_MARK + word).length;
        return [start, stop];
      });
    }
  }

  Object.assign(AnnotatedTransformer, { BOS, EOS, SPACE_MARK, Tokenizer, checkText });
})();
