/**
 * What people do when they type: annotated_transformer/text/spelling.py and habits.py, with the same tables.
 *
 *   const spelling = new Spelling(policy), habits = new Habits(policy, spelling); // text.js has both
 *   spelling.known(words, changes)       // the words of a sentence as training spelled them
 *   habits.undone(text, reading)         // the text without faces, with the spaces that were forgotten
 *
 * tests/live/test_text.py compares them with Python.
 */
"use strict";

window.AnnotatedTransformer ??= {};

(() => {
  const { say } = AnnotatedTransformer;
  const SYLLABLES = /^[\uac00-\ud7a3]+$/;
  const [FIRST, FINALS, BEFORE_FINALS] = [0xac00, 28, 0x11a7]; // as in stems.py
  const WAVES = "~\u301c";
  const LONGEST = 24; // syllables of a Korean word that is looked through for forgotten spaces

  const isAlpha = (text) => /^\p{L}+$/u.test(text);
  const isLower = (text) => /^\p{Lowercase}/u.test(text);
  const sizeOf = (text) => [...text].length;
  const plain = (word) => word.replaceAll("\u2019", "'");

  /** Each way to cut a Korean word in two, also before the last consonant of a syllable. */
  function cuts(word) {
    if (!SYLLABLES.test(word)) return [];
    return [...word].flatMap((syllable, i) => {
      const [code, rest] = [syllable.charCodeAt(0), word.slice(i + 1)];
      const final = (code - FIRST) % FINALS;
      const open = word.slice(0, i) + String.fromCharCode(code - final);
      const closing = String.fromCharCode(BEFORE_FINALS + final) + rest;
      return [...(final ? [[open, closing]] : []), [word.slice(0, i + 1), rest]];
    });
  }

  class Spelling {
    constructor(policy) {
      this.policy = policy;
      this.spellings = new Map();
      for (const word of policy.had.words) {
        const small = word.toLowerCase();
        this.spellings.set(small, [...(this.spellings.get(small) ?? []), word]);
      }
    }

    /** Whether training had a word as it is spelled, with either apostrophe. */
    has(word) {
      return this.policy.hasWord(plain(word));
    }

    /** The spellings that training had of a word, whatever its capitals. */
    of(word) {
      return this.spellings.get(plain(word).toLowerCase()) ?? [];
    }

    /** Whether training had a word in no spelling and no form. */
    isStrange(word) {
      return !this.of(word).length && !this.has(word);
    }

    /** The words of a sentence as training spelled them. */
    known(words, changes) {
      const isUpper = (word) => word === word.toUpperCase();
      const isLarge = (word) => [...word][0] !== [...word][0].toLowerCase();
      const cased = words.filter((word) => word.toLowerCase() !== word.toUpperCase());
      const unknown = cased.some((word) => this.of(word).length && !this.has(word));
      const small = new Set(this.policy.tables.small_words);
      const heads = cased.slice(1).some((word) => small.has(word.toLowerCase()));
      const upper = cased.filter((word) => sizeOf(word) > 1 && isUpper(word)).length;
      const loud = unknown && upper > 1 && cased.every(isUpper);
      const title = cased.every(isLarge) && !upper && (heads || (unknown && cased.length > 2));
      if (!unknown && !title) return words;
      const everywhere = loud || title;
      return words.map((word, i) => {
        const afterThe = i > 0 && words[i - 1].toLowerCase() === "the";
        // "in THE US": the article tells it from "give US the book".
        const stays = everywhere ? word === "US" && afterThe && this.has(word) : this.has(word);
        const choice = stays ? word : this.choice(word, i === 0, everywhere);
        if (choice !== word) {
          changes.push(everywhere ? say`capitals read as small letters` : say`'${word}' read as '${choice}'`);
        }
        return choice;
      });
    }

    /** The spelling to read a word in; the word itself where it is not clear. */
    choice(word, first, everywhere) {
      const spellings = this.of(word);
      if (this.policy.tables.initials.includes(word) && !everywhere) return word;
      const small = plain(word).toLowerCase();
      const [head = "", ...rest] = [...small];
      const capital = head.toUpperCase() + rest.join("");
      const [start] = [...word];
      const begins = first && start !== start.toLowerCase();
      const myself = everywhere && (small === "i" || small.startsWith("i'"));
      const likely = [...(begins || myself ? [capital] : []), small, ...(spellings.length === 1 ? spellings : [])];
      const choice = likely.find((each) => spellings.includes(each));
      if (!choice) return word;
      return word.includes("\u2019") ? choice.replaceAll("'", "\u2019") : choice;
    }
  }

  class Habits {
    constructor(policy, spelling) {
      this.policy = policy;
      this.spelling = spelling;
      const { ends, faces, faces_alone } = policy.tables;
      const after = `[${ends},;~]*`;
      this.ends = new Set(`${ends},`);
      this.pauses = new Set(`${ends},;:`);
      this.face = RegExp(`^((?:${[...faces, ...faces_alone].join("|")})+)(${after})$`, "u");
      this.faceBehind = RegExp(`((?:${faces.join("|")})+)(${after})$`, "u");
      this.heart = RegExp(`(<3+)(${after})$`, "u");
    }

    /** The text with its words apart; `reading` gets what was changed and left out. */
    undone(text, { changes, leftOut }) {
      let tokens = this.withoutWaves(this.withoutFaces(text.split(" "), leftOut), changes);
      if (this.policy.knowsWords) {
        tokens = this.withoutInitials(this.withApostrophes(tokens, changes), changes);
      }
      tokens = this.apart(tokens, changes);
      if (this.policy.paradigms.length) tokens = this.withKoreanSpaces(tokens, changes);
      return tokens.join(" ");
    }

    withoutFaces(tokens, leftOut) {
      const [rest, faces] = [[], []];
      const { alone, after, end } = this.policy.had;
      const had = (face) => this.spelling.has(face) || [alone, after, end].some((some) => some.includes(face));
      for (const token of [...tokens].reverse()) {
        let match = this.face.exec(token) ?? this.faceBehind.exec(token);
        if (!match && !rest.some((each) => this.policy.cut(each)[1])) match = this.heart.exec(token);
        if (!match || had(match[1])) {
          rest.push(token);
          continue;
        }
        faces.push(match[1]);
        const left = token.slice(0, match.index) + match[2];
        if (left) rest.push(left);
      }
      leftOut.push(...faces.reverse());
      return rest.reverse();
    }

    withoutWaves(tokens, changes) {
      const { policy } = this;
      if (tokens.some((token) => token.length > 1 && WAVES.includes(token[0]))) return tokens;
      return tokens.map((token, i) => {
        const [, word, behind] = policy.cut(token);
        const after = word ? behind : token;
        const marks = [...after];
        const last = i === tokens.length - 1;
        const waves = marks.filter((mark) => WAVES.includes(mark) && !policy.seen.has(mark));
        const closes = word ? isAlpha([...word].at(-1)) : last;
        if (!waves.length || !closes || !marks.every((mark) => WAVES.includes(mark) || this.ends.has(mark))) return token;
        let left = marks.filter((mark) => !waves.includes(mark)).join("");
        if (left || last) changes.push(say`${policy.shown(waves[0])} left out`);
        else {
          left = "..."; // it may part two sentences, as an ellipsis may
          changes.push(say`${policy.shown(waves[0])} read as '${left}'`);
        }
        return token.slice(0, token.length - after.length) + left;
      }).filter(Boolean);
    }

    withApostrophes(tokens, changes) {
      const apostrophes = this.policy.tables.same[0];
      const joined = [];
      for (const token of tokens) {
        const last = joined.at(-1) ?? "";
        const both = last + token;
        const [, word] = this.policy.cut(both);
        const beside = (last && apostrophes.includes([...last].at(-1))) || (token && apostrophes.includes([...token][0]));
        const apart = beside || /^n['\u2019]t/.test(token);
        if (last && apart && /['\u2019]/.test(word) && both.startsWith(word) && this.spelling.of(word).length) {
          changes.push(say`'${`${last} ${token}`}' read as '${both}'`);
          joined[joined.length - 1] = both;
        } else joined.push(token);
      }
      return joined;
    }

    withoutInitials(tokens, changes) {
      return tokens.map((token, i) => {
        let [before, word, after] = this.policy.cut(token);
        const letters = word.split(".");
        const name = letters.join("").toUpperCase();
        const single = letters.length > 1 && letters.every((one) => sizeOf(one) === 1 && isAlpha(one));
        if (!single || !this.spelling.isStrange(word) || !this.spelling.has(name)) return token;
        const following = i + 1 < tokens.length ? this.policy.cut(tokens[i + 1])[1] : "";
        if (after.startsWith(".") && isLower(following)) after = after.slice(1); // it closes no sentence
        changes.push(say`'${word}' read as '${name}'`);
        return before + name + after;
      });
    }

    apart(tokens, changes) {
      const apart = [];
      const { alone, before } = this.policy.had;
      const afterWord = () => apart.length && this.policy.cut(apart.at(-1))[1];
      for (const token of tokens) {
        if ([...token].every((mark) => this.ends.has(mark)) && !alone.includes(token) && afterWord()) {
          apart[apart.length - 1] += token;
          changes.push(say`the space before '${token}' left out`);
          continue;
        }
        const pieces = this.pieces(token);
        const letters = [...pieces[0]];
        const size = letters.findIndex((mark) => !this.ends.has(mark));
        const run = letters.slice(0, size < 0 ? letters.length : size).join("");
        const rest = pieces[0].slice(run.length);
        const goesBack = run !== "" && run !== "." && !before.includes(run);
        if (goesBack && afterWord() && rest && isAlpha([...rest][0])) {
          apart[apart.length - 1] += run;
          pieces[0] = rest;
          changes.push(say`a space put after '${run}'`);
        }
        for (const piece of pieces.slice(0, -1)) changes.push(say`a space put after '${this.end(piece)}'`);
        apart.push(...pieces);
      }
      return apart;
    }

    /** A token that is no word, cut after each mark where its words meet: no,no. */
    pieces(token) {
      const { policy } = this;
      const [before, word] = policy.cut(token);
      const isPlain = [...token].every((one) => policy.ofAWord(one) || policy.marks.has(one));
      if (!isPlain || this.spelling.has(word) || ![...word].some((one) => this.pauses.has(one))) return [token];
      const runs = this.runs(word);
      const edges = [0, ...runs.map(([, stop]) => stop), word.length];
      const words = edges.slice(1).map((stop, n) => {
        const part = word.slice(edges[n], stop);
        return part.slice(0, part.length - this.end(part).length);
      });
      const pieces = [];
      let first = 0;
      runs.forEach(([start, stop], n) => {
        if (!this.meet(words[n], word.slice(start, stop), words[n + 1])) return;
        pieces.push(token.slice(first, before.length + stop));
        first = before.length + stop;
      });
      return [...pieces, token.slice(first)];
    }

    /** Whether two words meet at marks, which then do not belong into a word. */
    meet(left, marks, right) {
      const strong = marks.length > 1 || "?!".includes(marks);
      if (!this.policy.knowsWords) return strong && ![...marks].some((mark) => this.policy.had.inside.includes(mark));
      if ("?!".includes(marks[0]) || marks.startsWith("..")) return true;
      // a.m. and e.g. have single letters; an address has parts that are no words.
      const single = [left, right].some((each) => each.length === 1 && each <= "\x7f" && !"Ii".includes(each));
      const initials = sizeOf(left) === 1 && sizeOf(right) === 1;
      return !(single || initials || this.spelling.isStrange(left) || this.spelling.isStrange(right));
    }

    /** Where marks stand between two letters of a word. */
    runs(word) {
      const isMark = (place) => place < word.length && this.pauses.has(word[place]);
      const runs = [];
      for (let i = 1; i < word.length;) {
        let stop = i;
        while (isMark(stop)) stop++;
        const [left, right] = [[...word.slice(0, i)].at(-1), [...word.slice(stop)][0] ?? ""];
        if (stop > i && isAlpha(left) && isAlpha(right)) runs.push([i, stop]);
        i = Math.max(stop, i + 1);
      }
      return runs;
    }

    /** The marks that a piece ends with. */
    end(piece) {
      let start = piece.length;
      while (start > 0 && this.pauses.has(piece[start - 1])) start--;
      return piece.slice(start);
    }

    /** Particles joined to their noun, and words parted that were typed as one. */
    withKoreanSpaces(tokens, changes) {
      const spaced = [];
      const { copulas } = this.policy.tables;
      for (const token of tokens) {
        const [before, word, after] = this.policy.cut(token);
        const [, noun, closed] = this.policy.cut(spaced.at(-1) ?? "");
        const noWord = !this.spelling.has(word) || copulas.includes(word);
        const both = SYLLABLES.test(word) && SYLLABLES.test(noun) && !before && !closed;
        if (both && noWord && this.spelling.has(noun + word)) {
          changes.push(say`the space before '${word}' left out`);
          spaced[spaced.length - 1] += token;
          continue;
        }
        const parts = this.parts(word).join(" ");
        if (parts !== word) changes.push(say`'${word}' read as '${parts}'`);
        spaced.push(...`${before}${parts}${after}`.split(" "));
      }
      return spaced;
    }

    /** The fewest words of two syllables or more that an unknown one consists of, if there is one way. */
    parts(word) {
      const n = word.length;
      if (!SYLLABLES.test(word) || n > LONGEST || this.spelling.has(word)) return [word];
      const best = Array.from({ length: n + 1 }, (_, place) => (place === n ? [[]] : []));
      for (let start = n - 2; start >= 0; start--) {
        for (let stop = start + 2; stop <= n; stop++) {
          const part = word.slice(start, stop);
          if (!best[stop].length || !this.spelling.has(part) || (stop < n && !this.bends(part))) continue;
          const more = best[stop].map((rest) => [part, ...rest]);
          const fewer = best[start].length ? more[0].length - best[start][0].length : -1;
          if (fewer <= 0) best[start] = [...(fewer === 0 ? best[start] : []), ...more].slice(0, 2);
        }
      }
      return best[0].length === 1 ? best[0][0] : [word];
    }

    /** Whether a word is a stem with an ending after it, and so not the stem alone. */
    bends(word) {
      return cuts(word).some(([stem, ending]) => ending &&
        this.policy.paradigms.some(({ stems, endings }) => stems.has(stem) && endings.has(ending)));
    }
  }

  Object.assign(AnnotatedTransformer, { Habits, Spelling, cuts });
})();
