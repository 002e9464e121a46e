/** The Korean of the texts of this figure, by their English (words.js). */
"use strict";

AnnotatedTransformer.addWords({
  "position p:": "위치 p:",
  "position q:": "위치 q:",
  "{0} rows of {1} numbers. On the left they change fast down the rows, on the right hardly.": "수가 {1}개인 행 {0}개. 아래로 가면서 왼쪽은 빨리, 오른쪽은 거의 바뀌지 않는다.",
  "pair {0}": "쌍 {0}",
  "The table: a row for each position": "표: 위치마다 한 행",
  "Purple is near 1, orange near −1, blank near 0. Each pair is a sine and a cosine.": "보라는 1에, 주황은 −1에 가깝고, 빈 곳은 0에 가깝다. 쌍마다 사인과 코사인이 하나씩이다.",
  "The two rows as clocks: {0}, {1}": "두 행을 시계로: {0}, {1}",
  "p has a full tip": "p는 끝이 찬 바늘",
  "q a hollow one": "q는 끝이 빈 바늘",
  "cos {0}": "cos {0}",
  "The rows are {0} position{1} apart. The eight cosines add up to their inner product, {2}; a row with itself has the inner product {3}.": "두 행의 거리는 {0}이다. 코사인 여덟 개를 더하면 내적 {2|이/가} 되고, 한 행과 그 자신의 내적은 {3}이다.",
});
