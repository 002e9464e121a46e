"""The splits of the open lexicon: constructions with their shares, phrases, copied words. CC0."""

from collections.abc import Mapping
from random import Random

from annotated_transformer.lab.corpora.english_korean.constructions import RULES
from annotated_transformer.lab.corpora.english_korean.derivation import Clause, Derivation
from annotated_transformer.lab.corpora.english_korean.everyday.frames import REPLACED
from annotated_transformer.lab.corpora.english_korean.everyday.surface import is_question
from annotated_transformer.lab.corpora.english_korean.held_out import HELD_OUT
from annotated_transformer.lab.corpora.english_korean.large import EVERYDAY, PHRASE
from annotated_transformer.lab.corpora.english_korean.open import (
    although,
    amounts,
    asking,
    asks,
    attitudes,
    belonging,
    best_ever,
    bodies,
    body,
    catenatives,
    choices,
    comparing,
    contents,
    contrast,
    crowds,
    dates,
    degree,
    directions,
    doings,
    either_or,
    existence,
    facts,
    family,
    food,
    gerunds,
    household,
    inquiring,
    instead,
    jobs,
    joined,
    knowing,
    left,
    letting,
    lists,
    long,
    longer,
    measures,
    meeting,
    moments,
    moods,
    nations,
    negating,
    orders,
    orders_when,
    outdoors,
    owned,
    people,
    perfect,
    places,
    putting,
    ranking,
    relatives,
    requests,
    seasons,
    seeming,
    taking,
    taking_along,
    talking,
    telling,
    things_so,
    too_to,
    trips,
    unreal,
    uttering,
    wanted,
    wanting,
    wearing,
    whatever,
    whose,
    wondering,
    wondering_if,
    work_to_do,
    working,
)
from annotated_transformer.lab.corpora.english_korean.open.copied import (
    as_typed,
    split_of,
    with_copied,
)
from annotated_transformer.lab.corpora.english_korean.open.lexicon import open_lexicon, open_phrases
from annotated_transformer.lab.corpora.english_korean.open.surface import plain, typed
from annotated_transformer.lab.corpora.english_korean.splits import (
    SEED,
    Derived,
    Rule,
    compositional,
    pair_of,
    sentence_of,
    shuffle,
    split_for,
    typed_phrases,
)

OPEN_SIZES = {"train": 300_000, "valid": 2_000, "test": 2_000, "compositional": 500}
# Shares of written English, everyday English as in the large lexicon, and what is below.
PARTS = (0.1, 0.3, 0.6)
PHRASE_DRAWS, PHRASE_COPIES = 12, 2
SECOND_TRANSLATIONS = 1 / 50_000
"""Sentences in one of the training split that are left out for a second translation, at most."""
COPIED = 0.16
"""Share of the sentences in which a word is exchanged for an invented one, where one can be."""

OPEN: dict[str, tuple[Rule, float]] = {
    "open_there_is": (existence.there_is, 5),
    "open_location": (existence.location, 2),
    "open_absent": (existence.absent, 1.2),
    "open_having_no": (existence.having_no, 1.5),
    "open_number": (amounts.having_a_number, 5),
    "open_there_are": (amounts.there_are, 3),
    "open_price": (amounts.price, 3),
    "open_age": (amounts.age, 2),
    "open_clock": (dates.clock, 2.5),
    "open_duration": (dates.duration, 1.5),
    "open_year": (dates.year, 1.5),
    "open_floor": (dates.floor, 0.7),
    "open_date": (dates.month_day, 1.5),
    "open_page": (dates.numbered_page, 0.7),
    "open_nobody": (people.nobody, 2),
    "open_nobody_there": (people.nobody_there, 0.6),
    "open_everybody": (people.everybody, 2),
    "open_anyone": (people.anyone, 1),
    "open_anything": (people.object_of_nobody, 2.5),
    "open_something_to": (people.something_to, 1),
    "open_as_as": (comparing.as_as, 3.5),
    "open_superlative": (comparing.superlative, 2.5),
    "open_several": (comparing.several_are, 4),
    "open_may_i": (asking.may_i, 3.5),
    "open_favour": (asking.favour, 2.5),
    "open_how_often": (asking.how_often, 1.5),
    "open_how_tall": (asking.how_tall, 1.5),
    "open_which": (asking.which, 1.8),
    "open_how_about": (asking.how_about, 1.3),
    "open_indirect": (asking.indirect, 4),
    "open_so": (joined.so, 3),
    "open_timed": (joined.timed, 3.5),
    "open_because_of": (joined.because_of, 1.2),
    "open_experience": (perfect.experience, 3),
    "open_already": (perfect.already, 3),
    "open_lasting": (perfect.lasting, 1.5),
    "open_used_to": (perfect.used_to, 2),
    "open_might": (perfect.might, 2.5),
    "open_want_to": (perfect.want_to, 1.5),
    "open_only": (perfect.only, 1.5),
    "open_possession": (whose.possession, 5),
    "open_all_you_need": (whose.all_you_need, 1.2),
    "open_exclamation": (whose.exclamation, 1),
    "open_preposition": (whose.be_with_preposition, 3),
    "open_it_is_to": (whose.it_is_to, 2.5),
    "open_every": (whose.every, 1),
    "open_body": (body.body, 1.5),
    "open_do_not_be": (orders.do_not_be, 1.3),
    "open_this_and_that": (orders.this_and_that, 1.8),
    "open_with_that": (orders.with_that, 2),
    "open_order_when": (orders_when.order_when, 3),
    "open_reason_to": (orders_when.reason_to, 2),
    "open_unreal": (unreal.unreal, 3),
    "open_unreal_question": (unreal.unreal_question, 1.2),
    "open_although": (although.although, 3),
    "open_until": (although.until, 1.5),
    "open_at_once": (although.at_once, 1),
    "open_happened": (although.when_it_happened, 2),
    "open_while": (although.while_doing, 1.5),
    "open_when_child": (although.when_child, 1.2),
    "open_told_that": (telling.told_that, 2),
    "open_know_that": (telling.know_that, 2.5),
    "open_hope": (telling.hope, 1.5),
    "open_asked_to": (wanting.asked_to, 2.5),
    "open_want_to_be": (wanting.want_to_be, 1),
    "open_purpose": (wanting.purpose, 2),
    "open_poor_but_happy": (contrast.poor_but_happy, 1.5),
    "open_not_but": (contrast.not_but, 2),
    "open_not_tea": (contrast.coffee_not_tea, 1),
    "open_three_things": (lists.three_things, 1.5),
    "open_three_actions": (lists.three_actions, 2),
    "open_three_people": (lists.three_people, 0.8),
    "open_song_you_sang": (relatives.song_you_sang, 3),
    "open_know_somebody": (relatives.know_somebody, 2),
    "open_sister_who": (relatives.my_sister_who, 1.2),
    "open_long_two": (long.long_two, 5),
    "open_long_chain": (long.long_chain, 4),
    "open_long_report": (long.long_report, 4),
    "open_too_to": (too_to.too_to, 1.5),
    "open_made_me": (too_to.made_me, 1.5),
    "open_so_another": (long.so_another, 1.5),
    "open_long_relative": (long.long_relative, 2.5),
    "open_best_ever": (best_ever.best_ever, 1.2),
    "open_think_the_book": (best_ever.think_the_book, 1.5),
    "open_habit": (best_ever.habit, 2),
    "open_once_and_now": (although.once_and_now, 0.6),
    "open_posture": (places.posture, 3),
    "open_putting": (putting.putting, 2),
    "open_feeling": (moods.feeling, 4),
    "open_growing": (moods.growing, 1.5),
    "open_manner": (moods.manner, 2),
    "open_all_day": (moods.all_day, 1.5),
    "open_time_to": (moments.time_to, 2),
    "open_talk_about": (talking.talk_about, 1.5),
    "open_wearing": (wearing.wearing, 2),
    "open_moving": (putting.moving, 1.5),
    "open_received": (talking.received, 1),
    "open_day_is": (moments.day_is, 1),
    "open_opening_hours": (moments.opening_hours, 1),
    "open_lying": (left.lying, 1.5),
    "open_left_behind": (left.left_behind, 1),
    "open_greeting": (meeting.greeting, 2.5),
    "open_asked_about": (meeting.asked_about, 1),
    "open_addressed": (meeting.addressed, 2.5),
    "open_introducing": (meeting.introducing, 2.5),
    "open_naming": (meeting.naming, 1.2),
    "open_title": (family.with_title, 2),
    "open_affection": (family.affection, 2.5),
    "open_living": (family.living, 1.2),
    "open_planned": (family.planned, 2),
    "open_named": (family.having_one_named, 0.6),
    "open_made_of": (owned.made_of, 1.8),
    "open_of_children": (owned.of_children, 0.8),
    "open_owned_place": (owned.owned_place, 0.8),
    "open_about": (owned.about, 2),
    "open_attention": (owned.attention, 0.8),
    "open_compared": (family.compared, 1.5),
    "open_meal": (food.meal, 2.5),
    "open_too_much": (food.too_much, 2),
    "open_measured": (food.in_cups, 2),
    "open_any_food": (food.any_food, 1.5),
    "open_offer": (food.offer, 1.5),
    "open_taste": (food.taste, 1),
    "open_appointment": (working.appointment, 2),
    "open_starts": (working.starts, 1.5),
    "open_my_language": (working.my_language, 1),
    "open_here": (working.here, 1),
    "open_lets": (working.lets, 1.2),
    "open_fell": (working.fell, 0.8),
    "open_liking": (seasons.liking, 1),
    "open_wind": (seasons.wind, 0.8),
    "open_rain_a_lot": (seasons.rain_a_lot, 1),
    "open_favorite": (seasons.favorite, 1.5),
    "open_loudly": (seasons.manner, 1),
    "open_through": (seasons.through, 0.9),
    "open_nearby": (seasons.nearby, 1.5),
    "open_in_general": (seasons.in_general, 1.5),
    "open_better_than_that_one": (ranking.better_than_that_one, 1.5),
    "open_older_than_you": (ranking.older_than_you, 2),
    "open_bigger_than_busan": (ranking.bigger_than_busan, 1),
    "open_as_a": (ranking.as_a, 1.2),
    "open_smartest_girl": (ranking.smartest_girl, 2),
    "open_that_one": (ranking.that_one, 1.5),
    "open_which_one": (ranking.which_one, 1),
    "open_days_in_a_week": (measures.days_in_a_week, 1),
    "open_has_parts": (measures.has_parts, 1.5),
    "open_age_of_things": (measures.age_of_things, 1),
    "open_lengths": (measures.how_long_and_tall, 1.5),
    "open_saw_in_the_tree": (measures.saw_in_the_tree, 1),
    "open_number_done": (measures.number_done, 2),
    "open_people_on": (measures.people_on_the_bus, 1),
    "open_meeting_at": (measures.meeting_at, 1),
    "open_no_one_likes_him": (negating.no_one_likes_him, 1),
    "open_not_raining_when": (negating.not_raining_when, 1.3),
    "open_hundreds_of": (negating.hundreds_of, 0.7),
    "open_that_man": (negating.that_man, 0.8),
    "open_four_apples": (negating.four_apples, 1),
    "open_what_is_in": (wondering.what_is_in, 1.2),
    "open_who_is_there": (wondering.who_is_there, 1.5),
    "open_why_so": (wondering.why_so, 1.5),
    "open_why_thing": (wondering.why_thing, 1),
    "open_what_time_start": (wondering.what_time_start, 1.2),
    "open_when_is": (wondering.when_is, 1.5),
    "open_is_not": (wondering.is_not, 1),
    "open_still": (wondering.still, 1.8),
    "open_tag": (wondering.tag, 1.8),
    "open_doing_later": (choices.doing_later, 1),
    "open_which_color": (choices.which_color, 1),
    "open_nearest": (requests.nearest, 1.5),
    "open_get_to": (requests.get_to, 1.5),
    "open_where_buy": (requests.where_buy, 1.2),
    "open_could_i_have": (requests.could_i_have, 2),
    "open_okay_if": (requests.okay_if, 1),
    "open_any_of_it": (requests.any_of_it, 1.5),
    "open_price_of_one": (requests.price_of_one, 1.5),
    "open_thing_so": (things_so.thing_so, 3),
    "open_open_on": (things_so.open_on, 1),
    "open_in_color": (things_so.in_color, 1.5),
    "open_colored_thing": (things_so.colored_thing, 1.5),
    "open_everything_so": (things_so.everything_so, 1.2),
    "open_sky_so": (things_so.sky_so, 1),
    "open_features": (bodies.features, 2),
    "open_part_so": (bodies.part_so, 2),
    "open_aching": (bodies.aching, 2),
    "open_injuring": (bodies.injuring, 1),
    "open_going_on": (outdoors.going_on, 2),
    "open_weather_so": (outdoors.weather_so, 1.5),
    "open_rain_again": (outdoors.rain_again, 1.2),
    "open_place_so": (outdoors.place_so, 1),
    "open_run_out": (outdoors.run_out, 1),
    "open_somebody_so": (seeming.somebody_so, 2),
    "open_smelling": (seeming.smelling, 1.5),
    "open_sounding": (seeming.sounding, 1),
    "open_seeming": (seeming.seeming, 2),
    "open_towards": (seeming.towards, 1),
    "open_full_of": (contents.full_of, 1),
    "open_is_like": (contents.is_like, 1.5),
    "open_animals": (contents.animals, 1.2),
    "open_left_so": (contents.left_so, 1),
    "open_often_so": (contents.often_so, 1),
    "open_a_little": (contents.a_little, 1.5),
    "open_forget_to": (catenatives.forget_to, 2),
    "open_try_to": (catenatives.try_to, 2),
    "open_start_to": (catenatives.start_to, 2.5),
    "open_stop_it": (catenatives.stop_it, 1),
    "open_decide_to": (catenatives.decide_to, 2),
    "open_saw_dancing": (catenatives.saw_dancing, 2),
    "open_how_to": (knowing.how_to, 2.5),
    "open_what_to": (knowing.what_to, 2),
    "open_where_you_live": (wondering_if.where_you_live, 3),
    "open_asked_me": (wondering_if.asked_me, 1.2),
    "open_wonder_if": (wondering_if.wonder_if, 1.5),
    "open_what_he_said": (whatever.what_he_said, 1.5),
    "open_for_you": (whatever.for_you, 2),
    "open_whispered": (uttering.whispered, 1),
    "open_said_hello": (uttering.said_hello, 2),
    "open_said_nothing": (uttering.said_nothing, 1),
    "open_it_takes": (taking.it_takes, 2.5),
    "open_so_that": (degree.so_that, 2),
    "open_old_enough": (degree.old_enough, 1.2),
    "open_good_at_doing": (gerunds.good_at_doing, 2),
    "open_thanks_for": (gerunds.thanks_for, 1.5),
    "open_instead_of": (instead.instead_of, 1.5),
    "open_without_doing": (instead.without_doing, 1.5),
    "open_looking_forward": (gerunds.looking_forward, 1),
    "open_one_who_has": (longer.one_who_has, 2.5),
    "open_wanted_but": (wanted.wanted_but, 2),
    "open_have_enough": (wanted.have_enough, 1),
    "open_if_tomorrow": (wanted.if_tomorrow, 1.5),
    "open_number_came": (crowds.number_came, 2.5),
    "open_how_many_came": (crowds.how_many_came, 1.5),
    "open_half_of": (crowds.half_of, 2),
    "open_most_people": (crowds.most_people, 2),
    "open_turn_left": (directions.turn_left, 1.5),
    "open_on_the_left": (directions.on_the_left, 1),
    "open_let_us_not": (directions.let_us_not, 1.2),
    "open_stop_doing": (directions.stop_doing, 1.5),
    "open_take_umbrella": (taking_along.take_umbrella, 1.5),
    "open_take_me": (taking_along.take_me, 1.2),
    "open_be_kind": (taking_along.be_kind, 1),
    "open_works_as": (jobs.works_as, 1.5),
    "open_company_sells": (jobs.company_sells, 2),
    "open_was_fired": (jobs.was_fired, 1),
    "open_being_on": (jobs.being_on, 1),
    "open_hours_a_day": (jobs.hours_a_day, 1),
    "open_angry_with_me": (jobs.angry_with_me, 1.5),
    "open_germans": (nations.germans, 1.5),
    "open_american_friend": (nations.american_friend, 1),
    "open_japanese_car": (nations.japanese_car, 1.5),
    "open_three_languages": (nations.three_languages, 1.5),
    "open_where_born": (nations.where_born, 1),
    "open_is_all_you_need": (nations.is_all_you_need, 0.6),
    "open_which_bus": (nations.which_bus, 1.2),
    "open_how_much_of": (nations.how_much_of, 1.5),
    "open_toms_friends": (trips.toms_friends, 1.5),
    "open_last_train": (trips.last_train, 1.2),
    "open_takes_time": (asks.takes_time, 1.5),
    "open_two_tickets": (asks.two_tickets, 1.2),
    "open_drive_me": (asks.drive_me, 1.2),
    "open_the_way_to": (asks.the_way_to, 1),
    "open_two_plus_two": (asks.two_plus_two, 1),
    "open_never_do": (asks.never_do, 1),
    "open_listen_to": (asks.listen_to, 1),
    "open_second_book": (belonging.second_book, 1.5),
    "open_same_school": (belonging.same_school, 1),
    "open_president_of": (belonging.president_of, 1.5),
    "open_is_over": (belonging.is_over, 1.2),
    "open_late_for": (belonging.late_for, 1),
    "open_works": (household.works, 1.2),
    "open_such_a_day": (household.such_a_day, 1),
    "open_glad_to": (attitudes.glad_to, 1),
    "open_busy_doing": (attitudes.busy_doing, 2),
    "open_had_better": (attitudes.had_better, 1),
    "open_how_about_doing": (attitudes.how_about_doing, 1.2),
    "open_i_wish": (attitudes.i_wish, 1.2),
    "open_work_to_do": (work_to_do.work_to_do, 1.2),
    "open_prefer_to": (either_or.prefer_to, 1.2),
    "open_what_i_need": (either_or.what_i_need, 1.2),
    "open_sure_that": (either_or.sure_that, 1.5),
    "open_neither_nor": (either_or.neither_nor, 1.5),
    "open_let_me": (letting.let_me, 1.2),
    "open_what_means": (inquiring.what_means, 1),
    "open_look_like": (inquiring.look_like, 1),
    "open_what_makes": (inquiring.what_makes, 1),
    "open_whose_turn": (inquiring.whose_turn, 0.8),
    "open_know_name": (inquiring.know_name, 1.2),
    "open_student_or_teacher": (inquiring.student_or_teacher, 1.2),
    "open_who_is_taller": (inquiring.who_is_taller, 1),
    "open_times_a_week": (inquiring.times_a_week, 0.8),
    "open_first_time": (inquiring.first_time, 0.6),
    "open_want_to_be_what": (trips.want_to_be_what, 0.6),
    "open_doing": (doings.doing, 3),
    "open_thing_happened": (doings.happened, 2),
    "open_in_state": (doings.in_state, 2),
    "open_such": (facts.such, 1.5),
    "open_disaster": (facts.disaster, 1),
    "open_kinds_do": (facts.kinds_do, 2),
    "open_classed": (facts.classed, 1),
    "open_painted": (facts.painted, 1),
    "open_ill": (facts.ill, 1),
    "open_lost_there": (facts.lost_there, 1.2),
}
# What the open constructions say instead.
INSTEAD = frozenset({"existential", "location", "everyday_existence", "everyday_age"})
# What visitors say more often than the large lexicon does.
MORE = {"everyday_condition": 2.0, "everyday_imperative": 1.3, "everyday_name": 2.0}
OPEN_RULES = {
    name: rule for name, rule in {**RULES, **EVERYDAY, **OPEN}.items() if name not in INSTEAD
}
OPEN_CONSTRUCTIONS = (*OPEN_RULES, PHRASE)


def _weights() -> list[tuple[str, float]]:
    found = []
    for share, table in zip(PARTS, (RULES, EVERYDAY, OPEN), strict=True):
        kept = {
            name: weight * MORE.get(name, 1.0)
            for name, (_, weight) in table.items()
            if name not in INSTEAD
        }
        total = sum(kept.values())
        found += [(name, share * weight / total) for name, weight in kept.items()]
    return found


def derived(random: Random, construction: str) -> tuple[Derived, tuple[str, ...]]:
    """Derive a sentence of the construction, and the invented words in it."""
    d, sentence = sentence_of(random, OPEN_RULES[construction][0], open_lexicon())
    copied: tuple[str, ...] = ()
    if d.chance(COPIED) and d.features.isdisjoint(HELD_OUT):
        sentence, copied = with_copied(d, sentence)
    if copied:
        d.pairing(*REPLACED)
    english = typed(d, sentence.english, asked=is_question(sentence.korean))
    korean = as_typed(english, sentence.korean, copied)
    pair = pair_of(Clause(english, korean), construction)
    return Derived(pair, frozenset(d.features), frozenset(d.lexemes)), copied


def open_splits(sizes: Mapping[str, int] = OPEN_SIZES) -> dict[str, list[Derived]]:
    """Derive the splits of the open lexicon; a meaning, and an invented word, stands in one.

    Two rules may rarely say one English sentence in two ways: the first of them counts, and the
    other is left out. RuntimeError if that happens more often than `SECOND_TRANSLATIONS`.
    """
    random = Random(SEED + 2)
    chooser = Derivation(random)
    weights = _weights()
    fixed = typed_phrases(
        *(random, open_phrases(), PHRASE, typed, is_question),
        draws=PHRASE_DRAWS,
        copies=PHRASE_COPIES,
    )
    meanings = {item.pair.source: plain(item.pair.source) for item in fixed}
    phrase_meanings = set(meanings.values())
    translations = {meanings[item.pair.source]: item.pair.target for item in fixed}
    splits: dict[str, list[Derived]] = {"train": fixed, "valid": [], "test": []}
    split_of_meaning: dict[str, str] = {}
    held_out: list[Derived] = []
    refused: list[str] = []
    while len(splits["train"]) < sizes["train"]:
        item, copied = derived(random, chooser.weighted(weights))
        if item.pair.source in meanings:
            continue
        meaning = plain(item.pair.source)
        if meaning in phrase_meanings:
            continue
        meanings[item.pair.source] = meaning
        target = item.pair.target.lower()  # a copied word keeps the capitals that were typed
        known = translations.setdefault(meaning, target)
        if known != target:
            refused.append(f"{meaning!r}: {known}, {item.pair.target}")
            if len(refused) > SECOND_TRANSLATIONS * sizes["train"]:
                raise RuntimeError(f"sentences have two translations: {'; '.join(refused)}")
            continue
        if not item.features.isdisjoint(HELD_OUT):
            held_out.append(item)
            continue
        new = meaning not in split_of_meaning
        drawn = split_of(copied[0]) if copied else split_for(random, splits, sizes)
        split = split_of_meaning.setdefault(meaning, drawn)
        if split == "train" or (new and len(splits[split]) < sizes[split]):
            splits[split].append(item)
    shuffle(splits["train"], random)
    shown = [
        item
        for item in held_out
        if REPLACED not in item.features and meanings[item.pair.source] not in split_of_meaning
    ]
    chosen = compositional(shown, splits["train"], random, meanings.__getitem__)
    splits["compositional"] = chosen[: OPEN_SIZES["compositional"]]
    return splits
