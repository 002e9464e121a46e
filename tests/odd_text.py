"""Sentences as they come from other programs: what is odd in them, and what a model should read.

A way to be odd is a function of a plain sentence. `SAME` are those after which the shipped model
has to read the plain sentence again; the tables are what the doors are tested with.
"""

import unicodedata

from annotated_transformer.text import TABLES

SPACES = [
    *"\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2002\u2003\u2007\u2009\u200a",
    *"\u2028\u2029\u202f\u205f\u2800\u3000\u3164\uffa0",
]
NO_LINE_ENDS = [*"\x0b\x0c\r\x1c\x1d\x1e\x85\u2028\u2029"]
"""Where other programs end a line, and no door here does: they are spaces inside of one."""
INVISIBLE = [
    *"\0\x07\x1b\x7f\x80\xad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202e",
    *"\u2060\u2066\u2069\ufe0f\ufeff\U000e0001\U000e0041\U000e0100",
]
AROUND = [
    "''",
    '""',
    "“”",
    "‘’",
    "„“",
    "«»",
    "»«",
    "‹›",
    "「」",
    "『』",
    "《》",
    "()",
    "（）",
    "【】",
    "``",
    "´´",
]
BEFORE = ["- ", "— ", "– ", "• ", "* ", "1. ", "2) ", "-", "…", "¿", "¡", "· ", "― "]
AFTER = [
    " .",
    " ?",
    " !",
    "…",
    "...",
    " …",
    " -",
    " —",
    ";",
    ":",
    ",",
    "..",
    "!!!",
    '"',
    ")",
    " ☕",
]


def _with_end(text: str, after: str) -> str:
    """Marks that close a sentence take the place of its own."""
    return text.rstrip(".?!") + after


def _letters(text: str, first: int) -> str:
    """Letters A to Z and a to z in another row of Unicode."""
    return "".join(
        chr(first + ord(c) - (65 if c.isupper() else 71)) if c.isascii() and c.isalpha() else c
        for c in text
    )


def _fullwidth(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


SAME = {
    **{f"{c!r} for spaces": lambda t, c=c: t.replace(" ", c) for c in SPACES},
    **{f"one {c!r}": lambda t, c=c: t.replace(" ", c, 1) for c in SPACES},
    **{f"{c!r} inside": lambda t, c=c: f"{c}{t[:1]}{c}{t[1:]}{c}" for c in INVISIBLE},
    **{f"{marks} around": lambda t, m=marks: f"{m[0]}{t}{m[1]}" for marks in AROUND},
    **{f"{marks!r} before": lambda t, m=marks: m + t for marks in BEFORE},
    "spaces around": lambda t: f"  {t} ",
    "two spaces": lambda t: t.replace(" ", "  "),
    "fullwidth": _fullwidth,
    "bold letters": lambda t: _letters(t, 0x1D400),
    "typewriter letters": lambda t: _letters(t, 0x1D670),
    "letters without serifs": lambda t: _letters(t, 0x1D5A0),
    "NFD": lambda t: unicodedata.normalize("NFD", t),
    "NFKD": lambda t: unicodedata.normalize("NFKD", t),
    **{
        f"apostrophe {mark}": lambda t, m=mark: t.replace("'", m)
        for mark in TABLES["same"][0]
        if mark != "\u2019"  # training had it
    },
}
"""Ways after which a model for English should read the same as before."""
CLOSED = {f"{marks!r} at the end": lambda t, m=marks: _with_end(t, m) for marks in AFTER}
"""Ways that end a sentence otherwise; it means the same, and may be read without its mark."""

TYPED = {
    "capitals": [
        *("DO YOU LIKE COFFEE?", "I AM A STUDENT", "HELLO!", "I do NOT like milk", "I DON'T SWIM"),
        *("The Doctor met the judge", "Do You Like Coffee?", "Thank You", "dO you like TEA"),
        *("I DON\u2019T SWIM. YOU ARE A TEACHER!", "MR. KIM IS A DOCTOR", "I'M A STUDENT"),
        *("GIVE US THE MILK", "I like IT", "IT IS A CAT", "i like tv", "I WATCH TV"),
    ],
    "marks in a row": [
        *("Do you like coffee??", "I am a student!!!", "Do you swim?!", "I am a student. . ."),
        *("Wait... do you like coffee?!", "I like... coffee", "I... like coffee", "no.. I swim"),
        *("Stop!!! do you swim", "What ? ! No", "Oh no...", "Hello\u2026 you swim"),
    ],
    "no space after a mark": [
        *("no,no", "hello!How are you", "I am a student.You are a teacher", "tea,milk and coffee"),
        *("I like tea ,coffee and milk", "do you swim?yes!I do", "Wait\u2026do you swim?"),
        *("Hello ! do you swim ?", "I swim ...yes", "Mr.Kim is here", "I am here.i swim"),
    ],
    "faces": [
        *("I am a student :)", "I am a student:)", "Do you swim? :-)", ":) I swim", "I swim :D"),
        *("I like tea ^^", "I like tea^^!", "I like tea <3", "I swim xD", "I swim -_- no", "hi~"),
        *("I swim \u314b\u314b", "hello~ I swim~", "I swim ~", "I swim T_T :( <3 <3!"),
    ],
    "brackets and lists": [
        *(
            "(yes) I swim",
            "I swim (yes)",
            "Do you swim (well)?",
            "(I swim)",
            "a) I swim",
            "(1) I swim",
        ),
        *("1. I swim 2. You swim", "1) tea 2) milk 3) coffee", "I have 2. You have 3."),
    ],
    "habits of all kinds": [
        *(
            "dont swim",
            "i dont like tea",
            "im a student",
            "its a cat",
            "I cant swim",
            "i gonna swim",
        ),
        *("I swim - - -", "I like tea,,", ",I swim", "Do you swim?you swim :) (yes)", "I SWIM :)"),
        *("1. I SWIM!!! 2. YOU SWIM???", "I'm a student;you are a teacher", "No, no,NO!"),
    ],
    "words taken apart": [
        *("I' m a student", "I 'm a student", "do n't swim", "I don 't swim", "Don' t swim!"),
        *("the U.S. is here", "I swim in the U.S. He swims", "e.g. milk"),
    ],
    "signs, units and blank lines": [
        *(
            "-5 cats swim",
            "\u221220 cats swim",
            'I have a 5" cat',
            "I have a 5\u2033 cat",
            "(I) swim",
        ),
        *("I swim\n\nYou swim", "I swim \r\n \r\n You swim\n\n", "Do you swim?\n\nYes"),
        *("I swim \u23f0", "I swim \u25b6\ufe0f", "no\u200d\U0001f600 I swim", "\u2460 I swim"),
        *("I have 2\ufe0f\u20e3 cats", "I swim \U0001faea", "I swim\r\nnow"),
    ],
}
"""What visitors type in English, by kind; a model for English reads all of it."""
TYPED_TEXTS = [text for texts in TYPED.values() for text in texts]
TYPED_KOREAN = [
    *(
        "나는 학생이다!!!",
        "나는 학생이다?!",
        "나는 학생이다...",
        "나는... 학생이다",
        "나는.. 학생이다",
    ),
    *(
        "나는…학생이다",
        "나는 학생이다... 너는 학생이다",
        "나는 학생이다.너는 학생이다.",
        "안녕~ 나는 학생이다",
    ),
    *(
        "나는 학생이다~",
        "나는 학생이다~~!",
        "나는 학생이다ㅋㅋ",
        "나는 학생이다 ㅠㅠ",
        "나는 학생이다ㅎㅎ~",
    ),
    *(
        "ㅋㅋ 나는 학생이다",
        "나는 학생이다^^",
        "나는 학생이다 ^^;;",
        "나는 학생이다 :)",
        "나는 학생이다 (웃음)",
    ),
    *(
        "나는학생이다",
        "나는학생이다. 너는학생이다",
        "나 는 학생 이다",
        "나는 학생 이다",
        "저는 학생 입니다",
    ),
    *(
        "나는 '학생'이다",
        "나는 “학생”이다",
        "나는 커피,우유를 좋아한다",
        "가) 나는 학생이다",
        "1) 나는 2) 너는",
    ),
    *(
        "너는커피를좋아하니",
        "그고양이는집에있었다",
        "고냥미는학생이다",
        "나는 TV를 본다",
        "나는 학생이다요",
    ),
    *("(나) 학생이다", "나) 나는 학생이다", "ㅇㅋ 나는 학생이다", "나는 학생이다\n\n너는 학생이다"),
]
"""What visitors type in Korean."""

REFUSED = {
    "German": [
        *("Ich bin ein Student.", "Guten Morgen", "Wo ist der Bahnhof?", "Das ist gut"),
        *("Danke", "Der Hund schläft", "Ich liebe dich", "Wir haben keine Zeit"),
    ],
    "French": [
        *("Je suis étudiant.", "Où est la gare ?", "Bonjour", "Le chat dort sur la table"),
        *("Il fait beau aujourd'hui", "Merci beaucoup", "C'est la vie"),
    ],
    "Spanish": [
        *("Soy un estudiante.", "¿Dónde está la estación?", "Hola amigo", "Me gusta el café"),
        *("Buenos días", "La casa es grande"),
    ],
    "other scripts": [
        *("나는 학생이다", "안녕", "我是学生。", "私は学生です", "Я студент.", "Είμαι φοιτητής"),
        *("أنا طالب", "אני סטודנט", "मैं छात्र हूँ", "ผมเป็นนักเรียน", "I like 김치", "Ես ուսանող եմ"),
        *("ꦲꦏ꧀ꦱꦫ", "Ich bin müde и голоден"),
    ],
    "HTML": [
        *("<b>I am a student</b>", "I am a <i>student</i>.", "<p>I am a student", "<br>"),
        *("I &amp; you", "<a href='x'>I am here</a>", "<!-- I am a student -->"),
    ],
    "Markdown": [
        *("**I** am a student", "# I am a student", "I am a *student*", "_I_ am a student"),
        *("[I am a student](a.html)", "~~I am a student~~", "| I | am |", "> I am a student"),
    ],
    "addresses": [
        *("https://example.com/a", "I like http://example.com", "anna@example.com", "C:\\Windows"),
        *("www.example.com", "/usr/bin/python", "@anna I am here", "#happy"),
    ],
    "code": [
        *("x = 3", "print('hello')", "for i in range(10):", "if (a < b) { return; }", "a[0]"),
        *("import torch", "{'a': 1}", "SELECT * FROM t;", "i++", "def f(x): return x"),
    ],
    "sums": [
        *("2 + 2 = 4", "1+1", "3 * 4", "5 - 3", "10 / 2", "2^8", "x² + y²", "3.14", "42", "½ + ¼"),
        *("5 > 3", "7%", "$5", "20 × 3"),
    ],
    "nothing": ["...", "?!", "-", "“”", "( )", "☕", "!!!", "—", "'"],
}
"""What a model for a few thousand English words cannot translate."""
REFUSED_TEXTS = [text for texts in REFUSED.values() for text in texts]
BLANK = ["", " ", "\t\n", "\u00a0", "\u200b", "\ufeff", "\u3000 \u2028"]
MOST = 20_000
"""Characters of a text that is read."""
TOO_LONG = ["a " * (MOST // 2) + "b", "\U0001f600" * (MOST + 1)]
NOT_TOO_LONG = ["a " * (MOST // 2 - 1) + "b", "\U0001f600" * MOST]
"""The second is longer than the first for who counts halves of pairs, as JavaScript does."""
IMPOSSIBLE = {"a\u2581b": "U+2581 at position 1", "ab\ud83d": "U+D83D at position 2"}
