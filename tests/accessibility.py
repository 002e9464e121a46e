"""What axe-core finds wrong on a page that is open in the browser."""

from axe_playwright_python.sync_playwright import Axe

# All rules but those of level AAA, and two that axe still calls experimental.
STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OPTIONS = {
    "runOnly": {"type": "tag", "values": STANDARDS},
    "rules": {"label-content-name-mismatch": {"enabled": True}, "td-has-header": {"enabled": True}},
    "resultTypes": ["violations"],
    "preload": False,
}
# The time that axe takes grows with the number of elements. Hidden from it are the strokes of
# formulas, which have no text (their MathML is replaced by its text), and the words of listings and
# signatures after the first of each kind, whose colours are the same.
SIMPLIFY = """() => {
    const drawn = [...document.querySelectorAll('mjx-math')];
    const boxes = drawn.map((formula) => formula.getBoundingClientRect());
    drawn.forEach((formula, place) => {
        const {width, height} = boxes[place];
        formula.style.cssText += `; display: inline-block; width: ${width}px; height: ${height}px`;
        formula.replaceChildren();
    });
    for (const formula of document.querySelectorAll('mjx-assistive-mml'))
        formula.textContent = formula.textContent;

    const places = '.highlight, .sig';
    const kindOf = (word) => {
        const around = [word];
        while (!around.at(-1).matches(places)) around.push(around.at(-1).parentElement);
        around.push(around.at(-1).parentElement);
        return around.map((element) => element.tagName + element.className).join();
    };
    const inside = [...document.querySelectorAll(places)].flatMap(
        (place) => [...place.querySelectorAll('span, em')]);
    const kinds = new Set();
    for (const word of inside.reverse()) {  // from the innermost outwards
        if (word.children.length) continue;
        const kind = kindOf(word);
        if (kinds.has(kind)) word.replaceWith(word.textContent);
        else kinds.add(kind);
    }
    document.querySelectorAll('.highlight pre').forEach((listing) => listing.normalize());
}"""


def simplify(page):
    """Take from a page what axe need not look at; what is drawn stays in its place."""
    page.evaluate(SIMPLIFY)


def violations(page):
    """Return what axe finds, each with its rule, the element and what is wrong with it."""
    found = Axe().run(page, options=OPTIONS).response["violations"]
    return [
        f"{rule['id']}: {element['target'][-1]}: {reason(element)}: {element['html'][:200]}"
        for rule in found
        for element in rule["nodes"]
    ]


def reason(element):
    checks = element["any"] + element["all"] + element["none"]
    return "; ".join(check["message"] for check in checks)
