/** The Korean of the texts of this figure, by their English (words.js). */
"use strict";

AnnotatedTransformer.addWords({
  "the first <pad>": "첫째 <pad>",
  "the second <pad>": "둘째 <pad>",
  "no mask": "마스크 없음",
  "padding": "패딩",
  "causal": "인과",
  "both": "둘 다",
  "a window of two": "너비 2의 윈도",
  "{0} may look at {1}": "{0}에서 {1} 볼 수 있음",
  "Begin with": "시작할 마스크",
  "Press cells or paint over them; choose an output to follow": "칸을 누르거나 끌어서 칠하고, 따라갈 출력을 고르라",
  "After {0} layer{1}, {2} depends on {3}.": "{0}층 뒤에 {2}의 출력이 달려 있는 것: {3}.",
  "input": "입력",
  "output": "출력",
  "{0} layers; lines lead to the output from {1}.": "{0}층. 선은 다음에서 출력으로 간다: {1}.",
  "{0} alone": "{0}뿐",
  "nothing": "모두 가림",
});
