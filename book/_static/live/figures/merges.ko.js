/** The Korean of the texts of this figure, by their English (words.js). */
"use strict";

AnnotatedTransformer.addWords({
  "The pieces": "조각들",
  "Merges done:": "마친 병합:",
  "Next merge": "다음 병합",
  "Back": "뒤로",
  "A text, in English or Korean": "영어나 한국어로 된 글",
  "No two neighbours can be joined any more. This is the token, with its id.": "더 이어 붙일 이웃이 없다. 이것이 토큰과 그 번호이다.",
  "No two neighbours can be joined any more. These are the {0} tokens, with their ids.": "더 이어 붙일 이웃이 없다. 이것이 토큰 {0}개와 그 번호이다.",
  "Next: {0} + {1} → {2}{3}, learned as number {4} of {5}.": "다음: {0} + {1} → {2}{3}, 병합 {5}개 중 {4}번째로 배운 것.",
  "Not among the {0} pieces, and so written as bytes: {1}.": "조각 {0}개에 들지 않아 바이트로 쓴 것: {1}.",
  "Write a text, or choose one of the examples.": "글을 쓰거나 보기에서 고르라.",
  "This text has {0} characters, and the figure shows at most {1}.": "이 글은 {0}자인데, 이 그림은 많아야 {1}자를 보인다.",
});
