/** The Korean of the texts of this figure, by their English (words.js). */
"use strict";

AnnotatedTransformer.addWords({
  "position of the query:": "쿼리의 위치:",
  "position of the key:": "키의 위치:",
  "turns {0} a position": "위치마다 {0} 돎",
  "{0}, {1}; faint: before the turn": "{0}, {1}. 흐린 것: 돌리기 전",
  "The query has a full tip": "쿼리는 끝이 찬 바늘",
  "the key a hollow one": "키는 끝이 빈 바늘",
  "Draw another query and key": "다른 쿼리와 키 뽑기",
  "Back to the first query and key": "처음의 쿼리와 키로",
  "{0}° apart": "사이 {0}°",
  "product {0}": "내적 {0}",
  "Query minus key is {0}: the four products add up to {1}; divided by √8, the score is {2}.": "쿼리에서 키를 빼면 {0}이다. 내적 네 개를 더하면 {1}이고, √8로 나눈 점수는 {2}이다.",
});
