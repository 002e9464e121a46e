/** The Korean of the texts of this figure, by their English (words.js). */
"use strict";

AnnotatedTransformer.addWords({
  "before the first update": "첫 갱신 전",
  "after {0} updates": "갱신 {0}번 뒤",
  "{0}, the mean of the last {1} checkpoints": "{0}, 마지막 체크포인트 {1}개의 평균",
  "The weights ": "가중치 ",
  "Underlined words are wrong or out of place. Choose a sentence to see what is right: dashed words are missing.": "밑줄 친 말은 틀렸거나 자리가 틀리다. 문장을 고르면 옳은 번역이 보인다. 점선을 친 말은 빠진 것이다.",
  "Right: {0} of these {1}": "맞은 것: 이 {1}개 중 {0}개",
  "{0}: {1} of {2} sentences right": "{0}: 문장 {2}개 중 {1}개 맞음",
  "Loss, what is right and learning rate against the updates. {0}": "갱신에 따른 손실, 맞은 것, 학습률. {0}",
  "✓ right": "✓ 맞음",
  "{0} of {1} words right": "낱말 {1}개 중 {0}개 맞음",
  "(no word: the model ends at once)": "(낱말 없음: 모델이 바로 끝낸다)",
  "(missing)": "(빠짐)",
  "Validation loss: {0} nats for each token; given the correct beginning, {1} % of the next tokens are guessed.": "검증 손실: 토큰마다 {0} nat. 옳은 앞부분을 주면 다음 토큰의 {1}%를 맞힌다.",
  "Of {0} validation sentences {1} are right. Of the frequent words that should appear, {2} % appear; of the rare ones, {3} %.": "검증 문장 {0}개 중 {1}개가 맞다. 나와야 할 낱말 가운데 잦은 것은 {2}%, 드문 것은 {3}% 나온다.",
  "No update was made yet.": "아직 갱신하지 않았다.",
  "Learning rate: {0}.": "학습률: {0}.",
  "validation loss (thin: training)": "검증 손실(가는 선: 학습)",
  "sentences right, in %": "맞은 문장(%)",
  "(dashed: frequent words, dotted: rare)": "(파선: 잦은 낱말, 점선: 드문 낱말)",
  "learning rate": "학습률",
  "{0} nats": "{0} nat",
  "100 %": "100%",
  "0 updates": "갱신 0번",
});
