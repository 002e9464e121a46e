/**
 * Text in, text out: annotated_transformer/translator.py, with alignment.py and serving/known_words.py.
 *
 * A translator is what `LiveFigure` gives to a figure once the weights are there:
 *
 *   translator.model, translator.tokenizer, translator.words (a Set), translator.config
 *   const found = yield* translator.translate(text, {hook, size, alpha, nBest}); // yields a Beam a step
 *   found.text, found.ids, found.finished, found.unknownWords, found.hypotheses, found.memory
 *   const {sourceWords, targetWords, weights, endOfSource} = translator.attention(source, target, {hook});
 */
"use strict";

window.AnnotatedTransformer ??= {};

(() => {
  const { BOS, EOS, Tokenizer, Transformer, beamSearch, checkText } = AnnotatedTransformer;

  /** What a reader gave cannot be used; the message says it to them in one or two sentences. */
  class BadInput extends Error {}

  // What str.split() of Python splits at; \s of JavaScript is not the same.
  const SPACE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
  const SPACES = RegExp(`[${SPACE}]+`);
  const EDGE = String.raw`[.,;:?!"'()[\]{}<>«»“”‘’…\-–—]*`;
  const EDGES = RegExp(`^${EDGE}|${EDGE}$`, "g");

  /** The form in which words are compared: lower case, no punctuation at the edges. */
  const plainWord = (word) => word.toLowerCase().replaceAll("\u2019", "'").replace(EDGES, "");

  /** The words of a text in that form. */
  const wordsOf = (text) => text.split(SPACES).map(plainWord).filter(Boolean);

  /** The words of a text that are not known, each once; none if nothing is known. */
  const unknownWords = (text, known) =>
    known.size ? [...new Set(wordsOf(text).filter((word) => !known.has(word)))] : [];

  /** A sentence such as "pizza is not among the 9 words of this model". */
  function aboutUnknown(unknown, nKnown) {
    const [first, last] = [unknown.slice(0, -1), unknown.at(-1)];
    const names = first.length ? `${first.join(", ")} and ${last}` : last;
    const verb = first.length ? "are" : "is";
    return `${names} ${verb} not among the ${nKnown.toLocaleString("en")} words of this model`;
  }

  /** Mean over the heads of weights (heads, query, key), as a list of rows. */
  function meanOfHeads({ shape: [heads, queries, keys], data }) {
    const mean = (i, j) => {
      let sum = 0;
      for (let h = 0; h < heads; h++) sum += data[(h * queries + i) * keys + j];
      return sum / heads;
    };
    return Array.from({ length: queries }, (_, i) =>
      Array.from({ length: keys }, (_, j) => mean(i, j)));
  }

  const sumOf = (numbers) => numbers.reduce((sum, number) => sum + number, 0);

  /** Attention between tokens to attention between words: columns add up, rows are averaged. */
  const wordAttention = (rows, sourceSpans, targetSpans) =>
    targetSpans.map(([top, bottom]) => sourceSpans.map(([left, right]) =>
      sumOf(rows.slice(top, bottom).map((row) => sumOf(row.slice(left, right)))) / (bottom - top)));

  /** The source word that each target word attends to most, the first if several do. */
  const alignedWords = (weights) => weights.map((row) => row.indexOf(Math.max(...row)));

  class Translator {
    constructor({ config, weights, pieces, words }) {
      this.config = config;
      this.model = new Transformer(config, weights);
      this.tokenizer = new Tokenizer(pieces);
      this.words = new Set(words);
    }

    /** What the encoder reads: the ids of the text and EOS. Throws BadInput. */
    sourceIds(text) {
      return [...this.checked(text), EOS];
    }

    /** What the decoder reads: BOS and the ids of the text. Throws BadInput. */
    decoderInput(text) {
      return [BOS, ...this.checked(text)];
    }

    checked(text) {
      if (!text.split(SPACES).some(Boolean)) throw new BadInput("There is nothing to read: write a sentence.");
      try {
        checkText(text);
      } catch (error) {
        throw new BadInput(`The model cannot read this text: ${error.message}.`);
      }
      const most = this.config.max_length - 1;
      // Cut into the longest pieces there are a text this long has too many, and cutting takes long.
      const far = text.length > 2 * most * this.tokenizer.longest;
      const ids = far ? [] : this.tokenizer.encode(text);
      if (!far && ids.length <= most) return ids;
      const words = text.split(SPACES).length;
      const size = words > most ? `${words.toLocaleString("en")} words`
        : far ? `${text.length.toLocaleString("en")} characters` : `${ids.length} tokens`;
      throw new BadInput(
        `This text has ${size}, and the model reads at most ${most} tokens (words or pieces of ` +
        "words) at a time: give it one sentence.");
    }

    /** Yields the Beam after each step; returns the translation, as the head of this file says. */
    *translate(text, settings = {}) {
      const source = this.sourceIds(text);
      const memory = this.model.encode(source, settings.hook);
      const hypotheses = yield* beamSearch(this.model, memory, source.length, settings);
      const { ids, finished } = hypotheses[0];
      const unknown = unknownWords(text, this.words);
      const target = this.tokenizer.decode(ids);
      return { text: target, ids, finished, unknownWords: unknown, hypotheses, memory };
    }

    /**
     * Cross-attention between the words of a source and a target, averaged over the heads.
     *
     * The decoder is fed the target. step "output" takes the row that produced a token, "input" the
     * one that has just read it; layer counts from the end if negative (`Translator.attentions`).
     * weights[target word][source word]; endOfSource[target word] went to the source's EOS.
     */
    attention(source, target, { layer = -1, step = "output", hook } = {}) {
      const n = this.config.n_layers;
      const name = `decoder.layers.${(layer + n) % n}.cross_attention.weights`;
      let rows;
      const look = (at, tensor) => {
        const used = hook?.(at, tensor) ?? tensor;
        if (at === name) rows = meanOfHeads(used).slice(step === "input" ? 1 : 0);
        return used;
      };
      const sourceIds = this.sourceIds(source);
      this.model.decode(this.decoderInput(target), this.model.encode(sourceIds, look), look);
      const spans = [source, target].map((text) => this.tokenizer.wordSpans(text));
      const end = [[sourceIds.length - 1, sourceIds.length]];
      return {
        sourceWords: source.split(" "),
        targetWords: target.split(" "),
        weights: wordAttention(rows, ...spans),
        endOfSource: wordAttention(rows, end, spans[1]).flat(),
      };
    }
  }

  Object.assign(AnnotatedTransformer, {
    BadInput, SPACES, Translator, aboutUnknown, alignedWords, meanOfHeads, plainWord, unknownWords, wordsOf,
  });
})();
