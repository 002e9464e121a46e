/** The Korean of the texts of this figure, by their English (words.js). */
"use strict";

AnnotatedTransformer.addWords({
  "A stream is as wide as its share of the beam’s probability. Violet leads to the best finished translation.": "물줄기의 너비는 빔의 확률에서 차지하는 몫이다. 보라 물줄기는 끝난 번역문 가운데 가장 좋은 것으로 이어진다.",
  "Beam size": "빔 크기",
  "Length penalty α": "길이 페널티 α",
  "Step": "스텝",
  "The best translation is {0}.": "가장 좋은 번역: {0}.",
  "keeps {0}": "남긴 것: {0}",
  "keeps nothing": "남긴 것 없음",
  "Step {0} {1}. {2} finished.": "스텝 {0}. {1}. 끝난 것 {2}개.",
  "Step {0}: the best continuations, log P": "스텝 {0}: 가장 좋은 이어 쓰기, log P",
  "beginning": "앞부분",
  "fate": "결과",
  "(empty)": "(빈 문장)",
  "Finished so far, best score first: log P ÷ length penalty with {0}": "지금까지 끝난 것, 점수순(log P ÷ 길이 페널티, {0})",
  " (score {0}, log P {1})": " (점수 {0}, log P {1})",
  "A river of {0} steps. The best translation is {1}.": "스텝이 {0}개인 강. 가장 좋은 번역: {1}.",
  "kept": "남음",
  "finished": "끝남",
  "cannot win": "이길 수 없음",
  "dropped": "버려짐",
  "<1 %": "<1%",
  "{0} %": "{0}%",
});
