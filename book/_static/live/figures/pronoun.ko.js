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
  "both layers": "두 층 모두",
  "layer 1 alone": "1층만",
  "layer 2 alone": "2층만",
  "it alone": "it만",
  "everything but it": "it만 빼고",
  "Click a word: the decoder then reads its row of the memory from the other sentence": "낱말을 누르면 디코더가 메모리에서 그 행을 다른 문장의 것으로 읽는다",
  "Exchange": "바꾸기",
  "or exchange": "또는 바꿀 것",
  "everything": "모두",
  "Exchanged rows are read by the decoder's": "바꾼 행을 읽는 디코더의 층",
  "What it writes ({0})": "쓰는 번역({0})",
  "The decoder reads the memory of": "디코더가 읽는 메모리",
  "{0}, row of {1} from the other sentence": "{0}, 다른 문장에 있는 {1}의 행",
  "nothing": "없음",
});
