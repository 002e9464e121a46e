/** The Korean of the texts of this figure, by their English (words.js). */
"use strict";

AnnotatedTransformer.addWords({
  "position of the query:": "쿼리의 위치:",
  "position of the key:": "키의 위치:",
  "query {0}": "쿼리 {0}",
  "key {0}": "키 {0}",
  "turns {0} a position": "위치마다 {0} 돎",
  "The score for each position of the key, as a curve; the query and the key on it.": "키를 각 위치에 놓았을 때의 점수를 그린 곡선. 그 위에 쿼리와 키가 있다.",
  "Draw another query and key": "다른 쿼리와 키 뽑기",
  "Back to the first query and key": "처음의 쿼리와 키로",
  "{0}° apart": "사잇각 {0}°",
  "product ": "내적 ",
  "the score": "점수",
  "Query minus key is {0}: the score is {1}, wherever they stand.": "쿼리에서 키를 빼면 {0}이다. 둘이 어디에 있든 점수는 {1}이다.",
});
