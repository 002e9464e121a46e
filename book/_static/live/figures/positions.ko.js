/** The Korean of the texts of this figure, by their English (words.js). */
"use strict";

AnnotatedTransformer.addWords({
  "its position now (as in the paper)": "지금 위치(논문처럼)",
  "its first position": "처음 위치",
  "no position": "위치 없음",
  "The words in their order": "지금 순서의 낱말",
  "Drag a word, or choose two to exchange them": "낱말을 끌거나, 둘을 눌러 맞바꾸라",
  "Shuffle": "섞기",
  "Backwards": "거꾸로",
  "In order": "차례대로",
  "The encoder adds to a word": "인코더가 낱말에 더하는 것",
  "The decoder": "디코더",
  " adds positions to what it has written": " 쓴 것에 위치를 더하기",
  "In order and with positions the model writes": "차례대로 놓고 위치를 더했을 때의 번역",
  "As it stands now it writes": "지금 상태의 번역",
  "none": "없음",
  "With this setting you have tried {0} order{1} and got {2} {3}.": "이 설정에서 순서 {0}가지를 시험하여 번역 {2}가지를 얻었다.",
  "(unchanged)": "(그대로)",
});
