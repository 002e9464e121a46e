/** The Korean of the texts of this figure, by their English (words.js). */
"use strict";

AnnotatedTransformer.addWords({
  "position p:": "위치 p:",
  "position q:": "위치 q:",
  "{0} columns of {1} numbers. Along the upper rows they change fast, along the lower ones hardly.": "수가 {1}개인 열 {0}개. 오른쪽으로 가면서 위의 행은 빨리, 아래의 행은 거의 바뀌지 않는다.",
  "pair {0}": "쌍 {0}",
  "cos {0}": "cos {0}",
  "p and q are {0} position{1} apart. The eight cosines add up to the inner product of their rows, {2}; a row with itself has the inner product {3}.": "p와 q는 {0}만큼 떨어져 있다. 코사인 여덟 개를 더하면 두 행의 내적 {2|이/가} 되고, 한 행과 그 자신의 내적은 {3}이다.",
});
