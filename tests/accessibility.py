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
# What looks at colours, and so is asked again when the page shows others.
OF_COLOURS = ["color-contrast", "link-in-text-block"]

# The time that axe takes grows with the number of elements and of texts whose contrast it counts.
# Contrast depends on colours and sizes, so the first element of each kind is looked at: of a kind
# are texts that look the same on the same ground, links only if the text around them does too.
# What lies on the page by itself (its position is not static) is another ground than the page.
# Words of a listing or signature that are not looked at lose their element, and so do the strokes
# of formulas, which have no text; one that scrolls keeps a text at its end, for axe to see that.
SIMPLIFY = """() => {
    const drawn = [...document.querySelectorAll('mjx-math')];
    const boxes = drawn.map((formula) => formula.getBoundingClientRect());
    drawn.forEach((formula, place) => {
        const {width, height} = boxes[place];
        formula.style.cssText += `; display: inline-block; width: ${width}px; height: ${height}px`;
        formula.replaceChildren();
        if (width > formula.parentElement.clientWidth + 1 && formula.parentElement.clientWidth) {
            const end = formula.appendChild(document.createElement('span'));
            end.style.cssText = 'float: right';
            end.textContent = 'x';
        }
    });
    for (const formula of document.querySelectorAll('mjx-assistive-mml > math'))
        formula.textContent = formula.textContent;

    const grounds = new Map();
    const groundOf = (element) => {  // whatever is painted below the text of an element
        if (!element) return '';
        if (!grounds.has(element)) {
            const {backgroundColor, backgroundImage, opacity, filter, position, zIndex}
                = getComputedStyle(element);
            const paints = backgroundColor !== 'rgba(0, 0, 0, 0)' || backgroundImage !== 'none'
                || opacity !== '1' || filter !== 'none' || position !== 'static';
            const own = [backgroundColor, backgroundImage, opacity, filter, position, zIndex];
            const below = groundOf(element.parentElement);
            grounds.set(element, paints ? `${below}/${own.join()}` : below);
        }
        return grounds.get(element);
    };
    const lookOf = (element) => {
        const {color, fontSize, fontWeight, textShadow, textDecoration, borderBottom}
            = getComputedStyle(element);
        return [color, fontSize, fontWeight, textShadow, textDecoration, borderBottom].join();
    };
    const kindOf = (element) => [element.matches('input, select, textarea, button'),
        ...element.matches('a[href]') ? [element.className, lookOf(element.parentElement)] : [],
        lookOf(element), groundOf(element)].join('|');
    const hasText = (element) => element.matches('a[href], input, select, textarea')
        || [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const seen = new Set();
    for (const element of document.querySelectorAll('body, body *')) {
        if (!hasText(element) || !element.checkVisibility() || seen.has(kindOf(element))) continue;
        seen.add(kindOf(element));
        element.dataset.lookedAt = '';
    }
    const words = document.querySelectorAll(':is(.highlight, .sig) :is(span, em)');
    for (const word of [...words].reverse())  // from the innermost outwards
        if (!word.children.length && !('lookedAt' in word.dataset))
            word.replaceWith(word.textContent);
    document.querySelectorAll('.highlight pre').forEach((listing) => listing.normalize());
}"""
RUN = """(options) => {
    axe.configure({rules: [
        {id: 'color-contrast', selector: '[data-looked-at]'},
        {id: 'link-in-text-block', selector: 'a[href][data-looked-at]'},
    ]});
    return axe.run(options);
}"""


def violations(page, only=None):
    """Return what axe finds on a page: each rule, the element and what is wrong with it.

    The page is simplified for it; what is drawn stays in its place.

    only: the rules to ask for, instead of all.
    """
    page.evaluate(SIMPLIFY)
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(Axe().axe_script)
    options = OPTIONS | ({"runOnly": {"type": "rule", "values": only}} if only else {})
    found = page.evaluate(RUN, options)["violations"]
    return [
        f"{rule['id']}: {element['target'][-1]}: {reason(element)}: {element['html'][:200]}"
        for rule in found
        for element in rule["nodes"]
    ]


def reason(element):
    checks = element["any"] + element["all"] + element["none"]
    return "; ".join(check["message"] for check in checks)
