/** The Korean of the texts of this figure, by their English (words.js). */
"use strict";

AnnotatedTransformer.addWords({
  "fox and chicken": "여우와 닭",
  "여우 fox, 닭 chicken": "fox 여우, chicken 닭",
  "animal and street": "동물과 길",
  "동물 animal, 길 street": "animal 동물, street 길",
  "goat and mountain": "염소와 산",
  "염소 goat, 산 mountain": "goat 염소, mountain 산",
  "two nouns": "명사 두 개",
  "decoder layer 1": "디코더 1층",
  "decoder layer 2": "디코더 2층",
  "Scene": "장면",
  "Words of the two sentences": "두 문장의 낱말",
  "Choose a word: its rows change places. New words are underlined, words that are gone struck out ({0}).": "낱말을 누르면 그 행이 자리를 맞바꾼다. 새로 생긴 말에는 밑줄을, 없어진 말에는 가로줄을 긋는다({0}).",
  "it alone": "it만",
  "everything but it": "it만 빼고 모두",
  "Exchange": "맞바꾸기",
  "everything": "모두",
  "Exchanged rows are read by": "맞바꾼 행을 보는 층",
  "{0}, row of {1} from the other sentence": "{0}, 다른 문장에 있는 {1}의 행",
  "nothing": "없음",
});
