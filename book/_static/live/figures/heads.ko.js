/** The Korean of the texts of this figure, by their English (words.js). */
"use strict";

AnnotatedTransformer.addWords({
  "The translation is the same as with all heads.": "번역이 모든 헤드를 켰을 때와 같다.",
  "encoder 1": "인코더 1",
  "same": "같은 토큰",
  "encoder 2": "인코더 2",
  "decoder 1": "디코더 1",
  "begin": "처음",
  "decoder 2": "디코더 2",
  "cross 1": "크로스 1",
  "cross 2": "크로스 2",
  "writing": "쓰는 말",
  "writing, counter": "쓰는 말, 단위",
  "Switch all heads on": "헤드 모두 켜기",
  "Choose a head to switch it off or on, or a row’s name for all four": "헤드를 누르면 꺼지거나 켜진다. 행의 이름을 누르면 네 개가 함께 바뀐다",
  "With all heads": "모든 헤드로",
  "{0}, all heads": "{0}, 모든 헤드",
  "{0}, head {1}: {2} ": "{0}, 헤드 {1}: {2} ",
  "on": "켬",
  "off": "끔",
  "With {0} of {1} heads": "헤드 {1}개 중 {0}개로",
  "Nothing is switched off": "꺼진 것이 없다",
});
