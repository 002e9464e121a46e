// How the search page orders what it finds (Sphinx's own search lists a page only if it has all words,
// and weighs each word alike). A word counts by how rare it is in the book and by the best place where
// a page has it: its title or a term of the glossary that leads to it, a heading, or its text. A title
// weighs more the more of it was asked for. This file becomes a part of _static/language_data.js.

const WEIGHTS = {name: 6, heading: 3, text: 1};
const LATER = {
  reference: 0.3, reference_chapters: 0.25, command_line: 0.5, bibliography: 0.3, claims: 0.5,
  differences: 0.75, glossary: 0.5, teaching: 0.5, index: 0.6, genindex: 0.3, search: 0.3,
};
const ENOUGH = 0.4; // of the query, weighed by rarity, stands on a page that is listed, if on any
// Words of a question that say nearly nothing of what it is about.
const ASKING = new Set(("a an and are as at be but by can could do does for from get have how i in " +
  "into is it its like make me mean means my need not of on or should so that the their then there " +
  "these they this to use used using was we what when where which who why will with work works " +
  "would you your vs 왜 뭐 무엇 어떻게 언제 어디 방법 하는 법 이란 뜻 의미 무엇인가 필요한가 " +
  "뭐야 뭔가 뭔가요 뭐예요 무엇인가요 차이 있는 하나요").split(" "));
// What a Korean word may end with beside the word that the book has.
const ENDING = new RegExp("^(?:이란|란|이|가|은|는|을|를|의|에|도|만|와|과|로|으로|에서|에는|부터|까지|" +
  "이나|나|처럼|마다|하고|이고|하는|하기|한|된|되는|하다|이다|인가|인가요|이에요|예요|입니다|할|들|들은|들이)$");
const KOREAN = /^[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]+$/;

const ranked = {
  // Made when first asked: the words of each title, and where each word stands.
  prepare() {
    const {titles, alltitles, indexentries, docnames} = Search._index;
    const [terms, titleterms] = [Search._index.terms, Search._index.titleterms].map(ranked.withParts);
    ranked.stemmer = new Stemmer();
    ranked.asking = new Set([...ASKING].map((word) => ranked.stemmer.stemWord(word)));
    ranked.joined = new Map();
    ranked.titles = [];
    const add = (title, [page, anchor]) => {
      const units = ranked.units(ranked.words(title));
      for (const unit of units)
        for (const term of unit)
          if (!Object.hasOwn(titleterms, term)) {
            if (!ranked.joined.has(term)) ranked.joined.set(term, new Set());
            ranked.joined.get(term).add(page);
          }
      const name = anchor === null;
      ranked.titles.push({title, page, anchor, units, weight: name ? WEIGHTS.name : WEIGHTS.heading});
    };
    for (const [title, places] of Object.entries(alltitles))
      places.forEach((place) => add(title, place));
    for (const [entry, places] of Object.entries(indexentries))
      places.forEach(([page, anchor]) => add(entry, [page, anchor]));
    ranked.pages = docnames.map((name, page) =>
      ({name, title: titles[page], later: LATER[name.split("/").pop()] ?? 1}));
    ranked.lists = [terms, titleterms];
    ranked.found = new Map();
    ranked.ready = true;
  },

  // What stands under a Korean word stands under all of its parts too: 학생이다 is found by 학생. The
  // index has the words alone, because the parts would be most of it.
  withParts(list) {
    const pages = new Map();
    for (const [word, found] of Object.entries(list)) {
      const parts = new Set([word]);
      if (KOREAN.test(word))
        for (let end = 2; end <= word.length; end += 1)
          for (let start = 0; start < end - 1; start += 1) parts.add(word.slice(start, end));
      for (const part of parts) {
        if (!pages.has(part)) pages.set(part, new Set());
        for (const page of [found].flat()) pages.get(part).add(page);
      }
    }
    return Object.fromEntries([...pages].map(([part, found]) => [part, [...found]]));
  },

  words: (text) => splitQuery(text.toLowerCase()),

  // A word finds its other spelling, a Korean one itself without its particle, and two words in a row
  // find what is written as one.
  units(words) {
    const stem = (word) => ranked.stemmer.stemWord(word);
    const units = words.map((word) => new Set([stem(word), ranked.head(word),
      stem(word.replace(/is(e[ds]?|ing|ations?)$/, "iz$1"))]));
    for (let i = 1; i < words.length; i += 1) {
      const both = stem(words[i - 1] + words[i]);
      if (/\d/.test(both)) continue;
      units[i - 1].add(both);
      units[i].add(both);
    }
    return units;
  },

  head(word) {
    if (!KOREAN.test(word)) return ranked.stemmer.stemWord(word);
    for (let end = 2; end < word.length; end += 1)
      if (ENDING.test(word.slice(end))) return word.slice(0, end);
    return word;
  },

  pagesOf(term) {
    if (!ranked.found.has(term)) {
      const pages = new Set(ranked.joined.get(term) ?? []);
      for (const list of ranked.lists)
        if (Object.hasOwn(list, term)) [list[term]].flat().forEach((page) => pages.add(page));
      ranked.found.set(term, pages);
    }
    return ranked.found.get(term);
  },

  known: (word) => ranked.pagesOf(ranked.stemmer.stemWord(word)).size > 0,

  // A Korean word that the book does not have, as those that it has: 빔서치가 as 빔 서치.
  korean(word) {
    for (let end = word.length; end > 0; end -= 1) {
      const head = word.slice(0, end), rest = word.slice(end);
      if (!ranked.known(head)) continue;
      if (!rest || ENDING.test(rest)) return [head];
      const tail = ranked.korean(rest);
      if (tail.length && (end > 1 || tail[0].length > 1)) return [head, ...tail];
      if (end > 1) return [head];
    }
    return [];
  },

  // What is asked for: words that the book has, or that begin one that it has.
  query(text) {
    const all = ranked.words(text).flatMap((word) => {
      if (ranked.known(word)) return [word];
      return KOREAN.test(word) ? ranked.korean(word) : ranked.longer(word);
    });
    if (all.every((word) => ASKING.has(word)) && all.length < ranked.words(text).length) return [];
    return ranked.units(all).map((unit) => {
      const pages = new Set([...unit].flatMap((term) => [...ranked.pagesOf(term)]));
      return {terms: unit, pages, rarity: ranked.rarity(unit)};
    });
  },

  longer(word) {
    if (word.length < 3) return [];
    const start = ranked.stemmer.stemWord(word);
    const found = ranked.lists.flatMap((list) => Object.keys(list).filter((t) => t.startsWith(start)));
    return found.sort((a, b) => a.length - b.length).slice(0, 1);
  },

  rarity(unit) {
    const [word] = unit;
    const pages = Math.max(...[...unit].map((term) => ranked.pagesOf(term).size), 1);
    return Math.log(1 + ranked.pages.length / pages) * (ranked.asking.has(word) ? 0.15 : 1);
  },

  search(text) {
    if (!ranked.ready) ranked.prepare();
    const query = ranked.query(text);
    // Whoever writes a name of the code wants what the reference says of it.
    const code = /_|--/.test(text);
    const later = (page) => (code && ranked.pages[page].later < 1 ? 1 : ranked.pages[page].later);
    const total = query.reduce((sum, {rarity}) => sum + rarity, 0);
    if (!total) return [];
    // For each page, the best that each word of the query finds on it.
    const best = ranked.pages.map((_, page) => query.map(({pages}) => +pages.has(page) * WEIGHTS.text));
    const sections = [];
    for (const {title, page, anchor, units, weight} of ranked.titles) {
      const hits = query.map(({terms}) => units.some((unit) => [...unit].some((t) => terms.has(t))));
      if (!hits.includes(true)) continue;
      let asked = 0, whole = 0;
      for (const unit of units) {
        const rarity = ranked.rarity(unit);
        whole += rarity;
        if (query.some(({terms}) => [...unit].some((t) => terms.has(t)))) asked += rarity;
      }
      const share = whole ? asked / whole : 0;
      const value = WEIGHTS.text + (weight - WEIGHTS.text) * (anchor === null ? share : share * share);
      hits.forEach((hit, i) => { if (hit) best[page][i] = Math.max(best[page][i], value); });
      const covered = query.reduce((sum, {rarity}, i) => sum + hits[i] * rarity, 0) / total;
      if (anchor !== null && covered > 0.99 && share >= 0.4)
        sections.push({page, anchor, title, value: value * later(page)});
    }
    const results = [];
    const covers = best.map((values) =>
      query.reduce((sum, {rarity}, i) => sum + (values[i] > 0) * rarity, 0) / total);
    const chapters = covers.filter((_, page) => ranked.pages[page].later === 1);
    const enough = Math.min(ENOUGH, Math.max(...chapters) || Math.max(...covers));
    best.forEach((values, page) => {
      const {name, title} = ranked.pages[page];
      if (covers[page] < enough) return;
      if (ranked.pages[page].later < 1 && sections.some((section) => section.page === page)) return;
      const value = query.reduce((sum, {rarity}, i) => sum + values[i] * rarity, 0) / total;
      results.push([name, title, "", null, value * later(page), page]);
    });
    for (const {page, anchor, title, value} of sections) {
      const {name, title: whole} = ranked.pages[page];
      const shown = title === whole ? title : `${whole} > ${title}`;
      results.push([name, shown, anchor ? `#${anchor}` : "", null, value, page]);
    }
    for (const result of results) result[4] = Math.round(result[4] * 1000) / 1000;
    const seen = new Set();
    return results.sort((a, b) => b[4] - a[4] || (a[2] === "") - (b[2] === "") || a[1].localeCompare(b[1])).filter((result) => {
      const place = result[0] + result[2];
      return !seen.has(place) && seen.add(place);
    }).map((result) => [...result.slice(0, 5), Search._index.filenames[result[5]]]).reverse();
  },
};
Search._performSearch = (query) => {
  _removeChildren(document.getElementById("search-progress"));
  return ranked.search(query);
};

// What a result shows: plain words of its text, without code, headings and what is left of markup.
const NO_WORDS = ".at-strip, aside, h1, h2, h3, h4, h5, h6, pre, .cell_output, nav, button, script, style, .headerlink, .toctree-wrapper";
const EXCERPT = {length: 240, before: 100};

Search.htmlToText = (html, anchor) => {
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const part of page.querySelectorAll(NO_WORDS)) part.remove();
  const words = (part) => (part?.textContent ?? "").replace(/\{[\w:-]+\}(?=`)|[`$]/g, "").replace(/\s+/g, " ").trim();
  const article = page.querySelector("article") ?? page.querySelector("[role=main]");
  const place = anchor ? page.getElementById(decodeURIComponent(anchor.slice(1))) : article;
  // An entry of a list is found by its term, and an anchor may stand before what it leads to.
  return words(place?.localName === "dt" ? place.nextElementSibling : place) || words(place?.closest("section") ?? article);
};
Search.makeSearchSummary = (html, asked, anchor) => {
  const text = Search.htmlToText(html, anchor);
  if (!text) return null;
  const places = [...asked].map((word) => text.toLowerCase().indexOf(word.toLowerCase())).filter((at) => at >= 0);
  const from = places.length ? Math.max(places.at(-1) - EXCERPT.before, 0) : 0;
  const [start, end] = [from && text.indexOf(" ", from) + 1, from + EXCERPT.length];
  const whole = end >= text.length, cut = text.slice(start, end);
  const summary = document.createElement("p");
  summary.classList.add("context");
  summary.textContent = `${start ? "… " : ""}${whole ? cut : `${cut.slice(0, cut.lastIndexOf(" "))} …`}`;
  return summary;
};
