/** The Korean of the texts of this figure, by their English (words.js). */
"use strict";

AnnotatedTransformer.addWords({
  "Post-LN (the paper)": "Post-LN(논문)",
  "Sublayers passed": "지난 서브층",
  "Weights of the branch, times": "가지의 가중치에 곱하는 수",
  "Size {0} (formula {1}), cosine with the start {2} (formula {3}).": "크기 {0}(식 {1}), 출발점과의 코사인 {2}(식 {3}).",
  "The row as an arrow. {0}": "화살표로 그린 행. {0}",
  "start: size 1, 0°": "처음: 크기 1, 0°",
  "after {0}: size {1}, {2}°": "{0}개 뒤: 크기 {1}, {2}°",
  "direction at the start": "출발점의 방향",
});
