/** The Korean of the texts of this figure, by their English (words.js). */
"use strict";

AnnotatedTransformer.addWords({
  "encoder layer 1": "인코더 1층",
  "encoder layer 2": "인코더 2층",
  "decoder layer 1": "디코더 1층",
  "decoder layer 2": "디코더 2층",
  "the 20 most one-sided units": "가장 치우친 유닛 20개",
  "Switch all on": "모두 켜기",
  "Networks: click one to silence it": "신경망: 누르면 꺼진다",
  "One-sided: over many sentences such a unit fires before 을 far more often than before 를, or the other way round.": "치우친 유닛: 여러 문장에서 ‘를’보다 ‘을’ 앞에서, 또는 그 반대로, 훨씬 자주 켜지는 유닛.",
  "Translation with everything on": "모두 켠 번역",
  "Translation now": "지금의 번역",
  "Units of the last network, and what they add to the lead of 을 over 를 after {0}": "마지막 신경망의 유닛과, “{0}” 다음에서 ‘를’에 대한 ‘을’의 우세에 더하는 양",
  "The last network is silent, and with it all its units": "마지막 신경망이 꺼져 있어 그 유닛도 모두 꺼져 있다",
  "{0} more {1} silent would not fire here.": "꺼 둔 유닛 {0}개는 여기서는 켜 두어도 켜지지 않는다.",
  "unit {0} ": "유닛 {0} ",
  "a space": "빈칸",
  "The choice after {0}: how probable": "“{0}” 다음의 선택: 확률",
  "{0} is right; its score is {1} below that of {2}.": "‘{0}’이 맞고, 그 점수는 ‘{2}’의 점수보다 {1} 낮다.",
  "{0} is right; its score is {1} above that of {2}.": "‘{0}’이 맞고, 그 점수는 ‘{2}’의 점수보다 {1} 높다.",
  " The most probable token of all is {0}.": " 모든 토큰 가운데 가장 확률이 큰 것은 {0|이다/다}.",
  "In this translation neither 을 nor 를 is a token of its own, so there is no such choice to show.": "이 번역에서는 ‘을’도 ‘를’도 따로 토큰이 아니어서 보일 선택이 없다.",
});
