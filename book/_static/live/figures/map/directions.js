/** The two directions in which the map translates: model, languages, sentences to try, and what is said of the model. */
"use strict";

(() => {
  const { h, say } = AnnotatedTransformer;
  const M = AnnotatedTransformer.map ??= {};
  const ENGLISH = { lang: "en", name: say`English`, least: 3 }; // letters that a word has of which the map tells by itself
  const KOREAN = { lang: "ko", name: say`Korean`, least: 2 };

  /** The map begins with the one whose run came with the page (trace.js). Their sentences are tested against their corpora. */
  M.directions = [
    {
      model: "english_korean_open", source: ENGLISH, target: KOREAN,
      turn: say`English → Korean`,
      sentences: [
        "The doctor will buy a car",
        "The doctor met the judge who rode the camel",
        "The animal did not cross the street because it was too tired",
        "The animal did not cross the street because it was too wide",
        "My sister is looking for the red hat that I bought yesterday",
        "If I had money, I would buy a house"
      ],
      about: say`It knows 7,751 English words and the sentence patterns of one small grammar. It refuses a
        text if it knows fewer than half of the words, as in most other languages, and writes in
        grey what may be wrong. In a test with 135 English sentences that visitors might type, 79
        translations were right, though 16 of these were grey, and 7 were wrong without being grey.
        The other 49 were wrong and grey, or refused.`,
    },
    {
      model: "korean_english", source: KOREAN, target: ENGLISH,
      turn: say`Korean → English`,
      sentences: [
        "나는 학생이다",
        "그 의사는 낙타를 탄 판사를 만났다",
        "그 동물은 너무 피곤해서 길을 건너지 않았다",
        "저는 어제 도서관에서 책을 읽었습니다",
        "내 여동생은 내가 어제 산 빨간 모자를 찾고 있다",
        "돈이 있다면 나는 집을 살 것이다"
      ],
      about: say`It reads Korean of one small grammar in four levels of speech (학생이다, 학생입니다, 학생이에요,
        학생이야). It says which words it does not know, and writes in grey what may be wrong. In a
        test with 100 Korean sentences that visitors might type, 37 translations were right, though 14 of
        these were grey, and 8 were wrong without being grey. The other 55 were wrong and grey, or
        refused.`,
    },
  ];

  /** Say and mark in a host which language goes in and which comes out; its field gets the direction's first sentence. */
  M.nameDirection = (host) => {
    const { source, target, sentences, about } = host.direction;
    host.dataset.from = source.lang; // which of two captions is shown
    Object.assign(host.field, { lang: source.lang, value: sentences[0] });
    for (const element of [host.output, host.spoken, host.flyer]) element.lang = target.lang;
    host.output.setAttribute("aria-label", target.name);
    host.into.textContent = say`Write a sentence in ${source.name}`;
    host.outOf.textContent = say`The model writes in ${target.name}`;
    host.turner.replaceChildren(h("span", { "aria-hidden": "true" }, "⇄ "), host.back.turn);
    host.tries.replaceChildren(...sentences.map((sentence) => h("li", {}, h("button", {
      type: "button", className: "map-try", lang: source.lang, onclick: () => { host.field.value = sentence; host.begin(); } }, sentence))));
    host.about.textContent = about;
    host.say("");
  };
})();
