/**
 * Search for a translation (section 6.1), as annotated_transformer/decoding/: greedy and beam search.
 *
 * Both are generators, so that a page can show every step and stay awake between them:
 *
 *   for (const beam of beamSearch(model, memory, sourceLength)) ...   // one Beam, after each step
 *   const [best] = finish(beamSearch(model, memory, sourceLength));   // hypotheses, best first
 *
 * A hypothesis is {ids, logProbability, score, finished}: as hypotheses.py has it.
 */
"use strict";

window.AnnotatedTransformer ??= {};

(() => {
  const { BOS, EOS, Prefixes } = AnnotatedTransformer;
  /** Section 6.1: the maximum output length is the input length plus this many tokens. */
  const EXTRA_LENGTH = 50;

  /** The divisor of a log probability; length counts output tokens, EOS included (Wu et al. 2016). */
  const lengthPenalty = (length, alpha) => ((5 + length) / 6) ** alpha;

  function makeHypothesis(ids, logProbability, alpha) {
    const finished = ids.at(-1) === EOS;
    return {
      ids: finished ? ids.slice(0, -1) : ids,
      logProbability,
      score: logProbability / lengthPenalty(ids.length, alpha),
      finished,
    };
  }

  /** Best first; equal ones in the order given. */
  const ranked = (hypotheses) => [...hypotheses].sort((a, b) => b.score - a.score);

  /** Log probabilities (prefix, vocab) of the next tokens; PAD and BOS are never written. */
  function nextLogProbs(model, prefixes, tokens) {
    const logits = prefixes.step(tokens);
    for (const row of logits.rows()) {
      const largest = row.reduce((most, value) => Math.max(most, value), -Infinity);
      const sum = row.reduce((total, value) => total + Math.exp(value - largest), 0);
      if (!(sum > 0 && sum < Infinity)) throw Error("the model's logits leave no token to choose");
      row.set(row.map((value) => value - largest - Math.log(sum)));
      row[model.config.padding_id] = row[BOS] = -Infinity;
    }
    return logits;
  }

  /** The k best tokens of a row as [id, log probability], by id; of equals the lowest ids. */
  function bestTokens(row, k) {
    const best = []; // sorted, best first
    row.forEach((value, id) => {
      if (value === -Infinity || (best.length === k && value <= best[k - 1][1])) return;
      let place = best.length;
      while (place > 0 && best[place - 1][1] < value) place--;
      best.splice(place, 0, [id, value]);
      best.length = Math.min(best.length, k);
    });
    return best.sort((a, b) => a[0] - b[0]);
  }

  /**
   * The search for one sentence: prefixes {ids, total, parent} and finished hypotheses (beam.py).
   *
   * The best `size` continuations that do not end in EOS are the next prefixes. Those that do, and are
   * among the best `size` of all, are set aside as finished. `extended` has all continuations of the
   * last step as [total, parent, token], best first.
   */
  class Beam {
    constructor(settings) {
      Object.assign(this, settings); // size, alpha, nBest, limit
      this.prefixes = [{ ids: [], total: 0, parent: 0 }];
      this.finished = [];
      this.extended = [];
    }

    /** Take a step; candidates[i]: [token, log probability] of prefix i, by token. */
    extend(candidates) {
      this.extended = this.prefixes.flatMap((prefix, parent) =>
        candidates[parent].map(([token, logP]) => [prefix.total + logP, parent, token]));
      this.extended.sort((a, b) => b[0] - a[0]); // stable: ties keep rank and token order
      const idsOf = (parent, token) => [...this.prefixes[parent].ids, token];
      const ended = this.extended.slice(0, this.size).filter(([, , token]) => token === EOS);
      const more = ended.map(([total, parent, token]) =>
        makeHypothesis(idsOf(parent, token), total, this.alpha));
      this.finished = ranked([...this.finished, ...more]).slice(0, this.nBest);
      const growing = this.extended.filter(([, , token]) => token !== EOS).slice(0, this.size);
      this.prefixes = growing
        .filter(([total]) => this.canWin(total))
        .map(([total, parent, token]) => ({ ids: idsOf(parent, token), total, parent }));
    }

    /** Whether a prefix is worth another step. */
    goesOn() {
      return this.prefixes.length > 0 && this.prefixes[0].ids.length < this.limit;
    }

    /** The nBest hypotheses, best first. */
    best() {
      const unfinished = this.prefixes.map(({ ids, total }) => makeHypothesis(ids, total, this.alpha));
      return [...this.finished, ...ranked(unfinished)].slice(0, this.nBest);
    }

    /** A log probability can only fall: what a prefix can still score. */
    canWin(total) {
      if (this.finished.length < this.nBest) return true;
      return total / lengthPenalty(this.limit, this.alpha) > this.finished.at(-1).score;
    }
  }

  /** At most so many output tokens, EOS included, for a source of so many, EOS included. */
  const lengthLimit = (model, sourceLength) =>
    Math.min(sourceLength + EXTRA_LENGTH, model.config.max_length);

  /** Keep several prefixes: yields the Beam after each step, returns its hypotheses. */
  function* beamSearch(model, memory, sourceLength, settings = {}) {
    const { size = 4, alpha = 0.6, nBest = 1, hook } = settings;
    const beam = new Beam({ size, alpha, nBest, limit: lengthLimit(model, sourceLength) });
    const prefixes = new Prefixes(model, memory, hook);
    let tokens = [BOS];
    do {
      const rows = nextLogProbs(model, prefixes, tokens).rows();
      // One more than the places: EOS, which may be among them, takes none.
      beam.extend(rows.map((row) => bestTokens(row, size + 1)));
      yield beam;
      prefixes.select(beam.prefixes.map((prefix) => prefix.parent));
      tokens = beam.prefixes.map((prefix) => prefix.ids.at(-1));
    } while (beam.goesOn());
    return beam.best();
  }

  /** Always take the most probable token (6.1): a beam of one, whose scores are log probabilities. */
  const greedySearch = (model, memory, sourceLength, { hook } = {}) =>
    beamSearch(model, memory, sourceLength, { size: 1, alpha: 0, hook });

  /** Run a generator to its end; return what it returns. */
  function finish(steps) {
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
    }
  }

  Object.assign(AnnotatedTransformer, { Beam, beamSearch, bestTokens, finish, greedySearch, lengthPenalty });
})();
