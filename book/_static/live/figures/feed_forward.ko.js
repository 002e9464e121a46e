/** The Korean of the texts of this figure, by their English (words.js). */
"use strict";

AnnotatedTransformer.addWords({
  "encoder layer 1": "인코더 1층",
  "encoder layer 2": "인코더 2층",
  "decoder layer 1": "디코더 1층",
  "decoder layer 2": "디코더 2층",
  "the 20 most one-sided units": "가장 치우친 유닛 20개",
  "Switch all on": "모두 켜기",
  "Networks": "신경망",
  "Choose a network or a unit to silence it. New words are underlined, words that are gone struck out.": "신경망이나 유닛을 누르면 꺼진다. 새로 생긴 말에는 밑줄을, 없어진 말에는 가로줄을 긋는다.",
  "One-sided: over many sentences such a unit fires before 을 far more often than before 를, or the other way round.": "치우친 유닛: 여러 문장에서 ‘를’보다 ‘을’ 앞에서, 또는 그 반대로, 훨씬 자주 켜지는 유닛.",
  "The 512 units of decoder layer 2 after {0}: green pushes towards 을, grey towards 를": "“{0}” 다음에서 디코더 2층의 유닛 512개: 초록은 ‘을’ 쪽으로, 회색은 ‘를’ 쪽으로 민다",
  "{0} of {1} units fire here. The buttons after this picture silence those that push most.": "여기서는 유닛 {1}개 가운데 {0}개가 켜진다. 이 그림 다음의 단추로 가장 세게 미는 것들을 끌 수 있다.",
  "The last network is silent, and with it all its units": "마지막 신경망이 꺼져 있어 그 유닛도 모두 꺼져 있다",
  "{0} more {1} silent would not fire here.": "꺼 둔 유닛 {0}개는 여기서는 켜 두어도 켜지지 않는다.",
  "unit {0} ": "유닛 {0} ",
  "a space": "빈칸",
  "The choice after {0}: how probable": "“{0}” 다음의 선택: 확률",
  "{0} is right; its score is {1} below that of {2}.": "‘{0}’이 맞고, 그 점수는 ‘{2}’의 점수보다 {1} 낮다.",
  "{0} is right; its score is {1} above that of {2}.": "‘{0}’이 맞고, 그 점수는 ‘{2}’의 점수보다 {1} 높다.",
  " The most probable token of all is {0}.": " 모든 토큰 가운데 가장 확률이 큰 것은 ‘{0}’이다.",
  "In this translation neither 을 nor 를 is a token of its own, so there is no such choice to show.": "이 번역에서는 ‘을’도 ‘를’도 따로 토큰이 아니어서 보일 선택이 없다.",
});
