/**
 * What a sentence may be for a model: annotated_transformer/text/, with the same tables (tables.toml),
 * which come with the weights (lab/page_model.py), as does what the training text had.
 *
 *   const policy = new TextPolicy(text, tables);
 *   const {sentences, changes, unknownWords, unknownCharacters, refusal} = policy.read(typed);
 *   policy.about({unknownWords, unknownCharacters}) // sentences for the reader
 *
 * tests/live/test_text.py compares each of these with Python.
 */
"use strict";

window.AnnotatedTransformer ??= {};

(() => {
  const { codeOf, say, sayText } = AnnotatedTransformer;
  const EXTRA_SPACES = say`extra spaces left out`;
  const COMPOSED = say`accents and syllables composed (NFC)`;
  const OTHER_FORM = say`letters and digits read in their usual form (NFKC)`;
  const PARAGRAPHS = say`${sayText("a blank line")} read as '${"."}'`;
  const LINE_END = "(?:\\r\\n|\\r(?!\\n)|[\\n\\x0b\\x0c\\x85\\u2028\\u2029])";
  const BLANK = say`it is blank; expected a sentence`;
  const OF_A_WORD = /[\p{L}\p{N}\p{M}]/u;
  const LETTER = /\p{L}/u;
  const LIST_NUMBER = /^(?:\(?(?:[0-9]{1,3}|[A-Za-z가-힣])\)|[0-9]{1,3}\.)$/;
  const BEFORE = /^\(([^()]*)\) ([^()]+)$/;
  const BEHIND = /^([^()]+) \(([^()]*)\)([?!.]*)$/;

  const unique = (list) => [...new Set(list)];
  const hasExtraSpaces = (text) => text.includes("  ") || text.startsWith(" ") || text.endsWith(" ");
  const [LONGEST, MOST_NAMES] = [40, 8]; // characters of a name, and names, that a message has at most

  /** Names as a sentence lists them: a, b and c; of many the first ones. */
  function listed(names) {
    const short = names.map((name) => {
      const characters = [...name];
      return characters.length > LONGEST ? `${characters.slice(0, LONGEST).join("")}...` : name;
    });
    if (short.length > MOST_NAMES) {
      short.splice(MOST_NAMES - 1, short.length, say`${names.length - MOST_NAMES + 1} more`);
    }
    return short.length < 2 ? short.join("") : say`${short.slice(0, -1).join(", ")} and ${short.at(-1)}`;
  }

  class TextPolicy {
    /** `had` is what the training text had (text.json), `tables` what is read as what (tables.toml). */
    constructor(had, tables) {
      this.had = had;
      this.tables = tables;
      this.words = new Set(had.words);
      this.seen = new Set(had.characters);
      this.cased = had.words.some((word) => word !== word.toLowerCase());
      // Stems and endings of Korean (stems.py); other models have none.
      this.paradigms = (had.paradigms ?? [])
        .map(({ stems, endings }) => ({ stems: new Set(stems), endings: new Set(endings) }));
      this.knowsWords = had.words.length + this.paradigms.length > 0;
      // habits.js comes with the weights (live.js).
      this.spelling = new AnnotatedTransformer.Spelling(this);
      const stems = this.paradigms.flatMap((paradigm) => [...paradigm.stems]);
      this.knownCount = new Set([...this.spelling.spellings.keys(), ...stems]).size;
      const any = (ranges, flags = "u") => RegExp(`[${ranges}]`, flags);
      this.marks = new Set(tables.quotes + tables.ends + tables.other_marks);
      this.space = any(tables.spaces, "gu");
      const invisible = `[${tables.invisible}]|[${tables.joiners}](?![${tables.joined}])`;
      this.invisible = RegExp(invisible, "gu");
      const picture = `[${tables.pictures}]`;
      this.pictures = RegExp(`\u200d?${picture}(?:\u200d?${picture})*`, "gu");
      const given = `[${tables.spaces}]*[^${tables.spaces}]`;
      this.beforeBlankLine = RegExp(
        `([^${tables.spaces}])([ \\t]*)(${LINE_END})(?=[ \\t]*${LINE_END}${given})`, "gu");
      this.inches = RegExp(`^[^${tables.same[1]}]*[0-9]([${tables.same[1]}])`, "u");
      this.unlike = any(tables.unlike);
      this.scripts = Object.entries(tables.scripts).map(([name, ranges]) => [name, any(ranges)]);
      this.seenScripts = new Set([...this.seen].map((character) => this.scriptOf(character)));
      this.habits = new AnnotatedTransformer.Habits(this, this.spelling);
    }

    /** How the model reads a text. */
    read(text) {
      const refused = (refusal) =>
        ({ sentences: [], changes: [], unknownWords: [], unknownCharacters: [], refusal });
      const most = this.tables.most_characters;
      const length = text.length > most ? [...text].length : 0; // in code points, as Python counts
      if (length > most) {
        const [given, limit] = [length, most].map((number) => number.toLocaleString("en"));
        return refused(say`it has ${given} characters; expected at most ${limit}`);
      }
      const impossible = this.impossible(text);
      if (impossible) return refused(impossible);
      const known = this.had.characters && this.had.most_sentences === 1;
      const given = known ? this.withoutBlankLines(text) : text;
      const reading = { changes: given === text ? [] : [PARAGRAPHS], leftOut: [], inches: "" };
      const plain = this.tidy(given, reading.changes);
      if (!plain) return refused(BLANK);
      const sentences = this.had.characters ? this.fitting(plain, reading) : [plain];
      const words = this.wordsOf(sentences.join(" "));
      const refusal = this.refusal(sentences, words);
      return {
        sentences: refusal ? [] : sentences,
        changes: unique(reading.changes),
        unknownWords: this.unknownWords(words),
        unknownCharacters: unique(reading.leftOut),
        refusal,
      };
    }

    /** Why no tokenizer keeps a text, or null. */
    impossible(text) {
      const characters = [...text]; // by code point, so that positions are those of Python
      const half = (character) => /^[\uD800-\uDFFF]$/.test(character);
      const place = characters.findIndex((one) => one in this.tables.refused || half(one));
      if (place < 0) return null;
      const known = this.tables.refused[characters[place]];
      const reason = known ? sayText(known) : say`a lone surrogate is no character`;
      return say`${codeOf(characters[place])} at position ${place}: ${reason}`;
    }

    /** The text composed, with single spaces and without what cannot be seen. */
    tidy(text, changes) {
      let plain = text;
      for (const space of unique(plain.match(this.space) ?? [])) {
        changes.push(say`${this.shown(space)} read as a space`);
        plain = plain.replaceAll(space, " ");
      }
      for (const unseen of unique(plain.match(this.invisible) ?? [])) {
        changes.push(say`${this.shown(unseen)} left out`);
      }
      plain = plain.replace(this.invisible, "");
      const composed = plain.normalize("NFC");
      if (composed !== plain) changes.push(COMPOSED);
      if (hasExtraSpaces(text)) changes.push(EXTRA_SPACES);
      return composed.split(" ").filter(Boolean).join(" ");
    }

    /** The text, as long as before, with a full stop where a blank line follows a word. */
    withoutBlankLines(text) {
      return text.replace(this.beforeBlankLine, (all, last, spaces, end) =>
        (this.marks.has(last) ? all : `${last}${spaces}.${end.slice(1)}`));
    }

    /** How a message names a character: as it is, or by what it is; pictures in any version of Unicode. */
    shown(character) {
      const name = this.tables.names[character];
      if (name) return `${sayText(name)} (${codeOf(character)})`;
      const found = (expression) => character.search(expression) === 0;
      const unseen = !found(this.pictures) &&
        (/^[\p{C}\p{Z}]/u.test(character) || found(this.space) || found(this.invisible));
      return unseen && [...character].length === 1 ? codeOf(character) : `'${character}'`;
    }

    ofAWord(character) {
      return OF_A_WORD.test(character);
    }

    scriptOf(character) {
      return this.scripts.find(([, letters]) => letters.test(character))?.[0] ?? null;
    }

    /** The marks before a word, the word, and the marks after it. */
    cut(token) {
      const characters = [...token];
      let [start, stop] = [0, characters.length];
      while (start < stop && this.marks.has(characters[start])) start++;
      while (stop > start && this.marks.has(characters[stop - 1])) stop--;
      const parts = [characters.slice(0, start), characters.slice(start, stop), characters.slice(stop)];
      return parts.map((part) => part.join(""));
    }

    /** The words of a text as they are spelled, without marks around them. */
    wordsOf(text) {
      return text.split(" ").map((token) => this.cut(token)[1].replaceAll("\u2019", "'")).filter(Boolean);
    }

    sentencesOf(text) {
      const [sentences, tokens] = [[], text.split(" ")];
      let first = 0;
      for (let i = 1; i < tokens.length; i++) {
        const following = this.cut(tokens[i])[1];
        if (!following || !this.closes(tokens[i - 1], following, first === i - 1)) continue;
        sentences.push(tokens.slice(first, i).join(" "));
        first = i;
      }
      return [...sentences, tokens.slice(first).join(" ")];
    }

    closes(token, following, alone) {
      const [, word, after] = this.cut(token);
      const isEnd = (mark) => this.tables.ends.includes(mark);
      const ends = [...after].filter(isEnd);
      if (!ends.length || !word) return false;
      const small = /^\p{Lowercase}/u.test(following);
      if (/^\.\.+$/.test(ends.join(""))) {
        const { openers, closing } = this.tables;
        const within = /[가-힣]$/.test(word) && !closing.includes(word.at(-1));
        if (!(alone && openers.includes(word.toLowerCase())) && (small || within)) return false;
      }
      if (small && !isEnd([...after].at(-1))) return false;
      if (ends.join("") !== ".") return true;
      const initial = /^\p{Uppercase}$/u.test(word) && word !== "I";
      const [head, ...rest] = [...word];
      const title = word === word.toUpperCase() ? head.toUpperCase() + rest.join("").toLowerCase() : word; // MR. KIM
      return !(initial || word.includes(".") || this.tables.abbreviations.includes(title));
    }

    /** The sentences of a tidy text, each as training might have had it. */
    fitting(text, reading) {
      let plain = this.withoutPictures(this.inKnownForms(text, reading), reading);
      plain = this.habits.undone(plain.split(" ").filter(Boolean).join(" "), reading);
      reading.inches = this.inches.exec(plain)?.[1] ?? "";
      const parts = this.had.most_sentences !== 1 ? [plain] : this.itemsOf(plain)
        .map((item) => this.withoutBullet(item, reading))
        .flatMap((item) => this.withoutAsides(item))
        .flatMap((whole) => this.sentencesOf(whole));
      if (parts.length > 1) reading.changes.push(say`read as ${parts.length} sentences`);
      return parts.map((part) => this.fitted(part, reading)).filter(Boolean);
    }

    /** The items of a list whose numbers go on: 1. I am here 2. You are there. */
    itemsOf(text) {
      const tokens = text.split(" ");
      const items = [];
      let [first, number] = [0, tokens[0]];
      while (LIST_NUMBER.test(number) && /[0-9]/.test(number)) {
        number = number.replace(/[0-9]+/, (digits) => String(Number(digits) + 1));
        const place = tokens.findIndex((token, i) => token === number && first + 1 < i);
        if (place < 0 || place + 1 === tokens.length) break;
        items.push(tokens.slice(first, place).join(" "));
        first = place;
      }
      return [...items, tokens.slice(first).join(" ")];
    }

    /** What stands in brackets before or after a sentence, told apart: (laughs) I am happy. */
    withoutAsides(text) {
      if (this.seen.has("(")) return [text];
      const [before, behind] = [BEFORE.exec(text), BEHIND.exec(text)];
      if (before && LETTER.test(before[1])) return [`(${before[1]})`, before[2]];
      if (behind && LETTER.test(behind[2])) return [behind[1] + behind[3], `(${behind[2]})`];
      return [text];
    }

    inKnownForms(text, { changes }) {
      const forms = [...text].map((character) => {
        if (character <= "\x7f" || this.seen.has(character)) return character;
        const written = this.tables.written[character];
        if (written !== undefined) {
          changes.push(say`${this.shown(character)} read as '${written.trim()}'`);
          return written;
        }
        if (this.marks.has(character) || this.unlike.test(character)) return character;
        const other = character.normalize("NFKC");
        const known = [...other].every((one) => this.seen.has(one) || (one >= "!" && one <= "~"));
        if (other === character || !known) return character;
        changes.push(OTHER_FORM);
        return other;
      });
      return forms.join("").normalize("NFC");
    }

    withoutPictures(text, { leftOut }) {
      let plain = text;
      for (const picture of unique(plain.match(this.pictures) ?? [])) {
        if ([...picture].some((one) => this.seen.has(one))) continue;
        leftOut.push(picture);
        plain = plain.replaceAll(picture, " ");
      }
      return plain;
    }

    withoutBullet(text, { changes, leftOut }) {
      const [first, ...rest] = text.split(" ");
      const bullet = first && (this.tables.bullets.includes(first) || LIST_NUMBER.test(first));
      if (!bullet || !rest.length || this.had.alone.includes(first)) return text;
      // It may be a word: (I) swim.
      if (first[0] === "(" && this.spelling.has(first.slice(1, -1))) leftOut.push(first);
      else changes.push(say`'${first}' left out`);
      return rest.join(" ");
    }

    fitted(sentence, reading) {
      const tokens = this.joined(sentence.split(" "), reading);
      const last = tokens.length - 1;
      const typed = tokens.map((token) => this.cut(token)[1]).filter(Boolean).map((word) => this.word(word, reading));
      const words = this.spelling.known(typed, reading.changes);
      return tokens.map((token, place) => {
        const [before, word, after] = this.cut(token);
        if (!word) return token;
        const ends = place === last ? this.had.end : this.had.after;
        const minus = before && this.tables.same[2].includes(before.at(-1)) && /^[0-9]/.test(word);
        return this.asHad(before, this.had.before, place === 0 && !minus, reading) + words.shift() +
          this.asHad(after, ends, place === last, reading);
      }).join(" ");
    }

    /** The tokens without marks that stand alone where training had none that did. */
    joined(tokens, reading) {
      const kept = [];
      const content = (mark) => this.tables.content.includes(mark) && !this.seen.has(mark);
      tokens.forEach((token, place) => {
        const known = this.exchanged(token, this.had.alone);
        if (this.cut(token)[1] || !token || this.had.alone.includes(token)) kept.push(token);
        else if (known) {
          reading.changes.push(say`'${token}' read as '${known}'`);
          kept.push(known);
        } else if (kept.length && [...token].every((mark) => `${this.tables.ends},`.includes(mark))) {
          kept.push(kept.pop() + token);
          reading.changes.push(say`the space before '${token}' left out`);
        } else if ([...token].some(content)) kept.push(token);
        else this.leaveOut(token, place === 0 || place === tokens.length - 1, reading);
      });
      return kept;
    }

    /** A word with the apostrophe or hyphen that training had within words. */
    word(word, { changes }) {
      let fitted = word;
      for (const character of unique([...word])) {
        const plain = this.ofAWord(character) && !this.marks.has(character);
        if (plain || this.had.inside.includes(character)) continue;
        const known = this.exchanged(character, this.had.inside);
        // 나는 '학생'이다: the particle stands after the quote.
        const quotes = this.tables.quotes.includes(character) && this.spelling.has(fitted.replaceAll(character, ""));
        if (!known && !quotes) continue;
        changes.push(known ? say`${this.shown(character)} read as '${known}'` : say`${this.shown(character)} left out`);
        fitted = fitted.replaceAll(character, known);
      }
      return fitted;
    }

    /** Marks beside a word as training had them there, or none. */
    asHad(marks, given, atEdge, reading) {
      if (!marks || given.includes(marks)) return marks;
      // "Mr." has a full stop there; any other would end the sentence.
      const ends = (each) => [...each].some((mark) => this.tables.ends.includes(mark));
      const inner = !atEdge && this.had.most_sentences === 1;
      const had = inner ? given.filter((each) => !ends(each)) : given;
      const single = new Set(had.join(""));
      const all = [...marks];
      // "a.m.!" has a mark of its word and one of its sentence; that is no row of marks.
      const several = had.some((each) => [...each.replace(/^\./, "")].length > 1);
      if (several && all.every((mark) => single.has(mark))) return marks;
      if (all.some((mark) => this.tables.content.includes(mark) && !this.seen.has(mark))) return marks;
      const plain = unique(all).filter((mark) => single.has(mark)).join("");
      const end = [...this.tables.ends, ","].find((mark) => all.includes(mark) && had.includes(mark));
      const fitted = this.exchanged(marks, had) || (had.includes(plain) ? plain : "") || end || "";
      if (fitted) reading.changes.push(say`'${marks}' read as '${fitted}'`);
      else this.leaveOut(marks, atEdge, reading);
      return fitted;
    }

    /** Marks with others that mean the same, if training had those; else nothing. */
    exchanged(marks, had) {
      const known = new Set(had.join(""));
      const exchanged = [...marks].map((mark) => {
        const row = this.tables.same.find((some) => some.includes(mark)) ?? mark;
        return [mark, ...row].find((each) => known.has(each)) ?? "";
      }).join("");
      return had.includes(exchanged) ? exchanged : "";
    }

    leaveOut(marks, atEdge, { changes, leftOut, inches }) {
      for (const mark of marks) {
        const harmless = atEdge || (this.tables.quotes + this.tables.ends).includes(mark);
        if (harmless && mark !== inches) changes.push(say`${this.shown(mark)} left out`);
        else leftOut.push(mark);
      }
    }

    /** Why no translation can be right: training had nothing of this kind. */
    refusal(sentences, words) {
      const letters = words.join("");
      if (this.had.characters) {
        const odd = [...letters].find((character) => {
          const script = this.scriptOf(character);
          const other = script ? !this.seenScripts.has(script) : LETTER.test(character);
          return other && !this.seen.has(character);
        });
        if (odd) {
          const script = this.scriptOf(odd);
          return script
            ? say`I cannot: '${odd}' is a letter of the script ${sayText(script)},
                and this model's training text has none of that script`
            : say`I cannot: '${odd}' is a letter, and this model's training text has none of that script`;
        }
        const { content, inside } = this.tables;
        const symbols = unique([...sentences.join(" ")].filter((one) => one !== " " && !this.seen.has(one) &&
          !this.ofAWord(one) && (content.includes(one) || !inside.includes(one))));
        if (symbols.length) {
          const names = listed(symbols.map((mark) => this.shown(mark)));
          return say`I cannot: ${names} never occur${symbols.length === 1 ? "s" : ""} in this model's training text`;
        }
        if (!this.had.wordless && !LETTER.test(letters)) return say`I cannot: there is no word in it`;
      }
      const spelled = words.filter((word) => LETTER.test(word));
      const strange = spelled.filter((word) => this.spelling.isStrange(word));
      const enough = strange.length > 1 && 2 * strange.length >= spelled.length;
      if (!this.knowsWords || !strange.length || !(enough || strange.length === spelled.length)) return null;
      return say`I cannot: ${this.aboutWords(unique(strange))}`;
    }

    /** Whether a word was there, or is made of a stem and an ending that were. */
    hasWord(word) {
      if (this.words.has(word)) return true;
      const isForm = AnnotatedTransformer.cuts(word).some(([stem, ending]) =>
        this.paradigms.some(({ stems, endings }) => stems.has(stem) && endings.has(ending)));
      return isForm && (!this.seen.size || [...word].every((syllable) => this.seen.has(syllable)));
    }

    /** Those words that training did not have, each once; none if it is not known. */
    unknownWords(words) {
      if (!this.knowsWords) return [];
      return unique(words).filter((word) =>
        !this.hasWord(word) && (this.cased || !this.words.has(word.toLowerCase())));
    }

    /** Sentences about what a reading, or a translation, has of the unknown. */
    about({ unknownCharacters = [], unknownWords = [] }) {
      const said = [];
      if (unknownCharacters.length) {
        const one = unknownCharacters.length === 1;
        const names = listed(unknownCharacters.map((character) => this.shown(character)));
        said.push(say`${names} never ${one ? "occurs" : "occur"} in this model's training text
          and ${one ? "is" : "are"} left out`);
      }
      if (unknownWords.length) said.push(this.aboutWords(unknownWords));
      return said;
    }

    /** A sentence about unknown words, such as "pizza is not among the 9 words of this model". */
    aboutWords(unknown) {
      const never = unknown.filter((word) => this.spelling.isStrange(word));
      const said = [];
      if (never.length) {
        const known = this.knownCount.toLocaleString("en");
        said.push(this.paradigms.length
          ? say`${listed(never)} ${never.length === 1 ? "is" : "are"} not among the forms of the
              ${known} words and stems of this model`
          : say`${listed(never)} ${never.length === 1 ? "is" : "are"} not among the
              ${known} words of this model`);
      }
      const pairs = unknown.filter((word) => this.spelling.of(word).length).map((word, n) => {
        const known = this.spelling.of(word).join(say` or `);
        return n ? say`${word} only as ${known}` : say`${word} is known only as ${known}`;
      });
      if (pairs.length) said.push(pairs.join(", "));
      return said.join("; ");
    }
  }

  Object.assign(AnnotatedTransformer, { BLANK, EXTRA_SPACES, TextPolicy, listed });
})();
