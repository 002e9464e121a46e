/** The Korean of the texts of this figure, by their English (words.js). */
"use strict";

AnnotatedTransformer.addWords({
  "Pieces of the word": "낱말의 조각",
  "Neighbours and their cosines": "이웃과 그 코사인",
  "A word, in English or Korean": "영어나 한국어 낱말",
  "Pieces of the chapter": "이 장의 조각",
  "or one of": "또는",
  "its pieces": "그 조각",
  "Nearest to {0}": "“{0}”에 가장 가까운 것",
  "This piece never or hardly ever occurs in the training data: its neighbours mean nothing.": "이 조각은 학습 데이터에 한 번도, 또는 거의 나오지 않아 이웃에 뜻이 없다.",
  "For comparison: the median cosine with the other {0} rows is {1}.": "견주어 보면, 다른 {0}개 행과의 코사인의 중앙값은 {1}이다.",
  "Write a word, or choose one of the pieces.": "낱말을 쓰거나 조각에서 고르라.",
  "This text has {0} characters: write one word.": "이 글은 {0}자이다. 낱말 하나를 쓰라.",
});
