"""What axe-core finds wrong on a page that is open in the browser."""

from axe_playwright_python.sync_playwright import Axe
from simplified import SIMPLIFY

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

# axe counts no contrast on a gradient, and the shadows at the edges of what scrolls are gradients:
# without this no word of a listing would be looked at.
SCROLLS = "article :is(pre, .output, .pst-scrollable-table-container)"
NO_SHADOWS = f"{SCROLLS} {{ background-image: none !important }}"

# Not the source of every element that passes: the whole page would be in it once for each of the
# elements around the others. The source of what fails is asked for by itself.
RUN = """async (options) => {
    axe.configure({noHtml: true, rules: [
        {id: 'color-contrast', selector: '[data-looked-at]'},
        {id: 'link-in-text-block', selector: 'a[href][data-looked-at]'},
    ]});
    const {violations} = await axe.run({...options, elementRef: true});
    return violations.flatMap(({id, nodes}) => nodes.map(({target, element, any, all, none}) => {
        const reason = [...any, ...all, ...none].map(({message}) => message).join('; ');
        return `${id}: ${target.at(-1)}: ${reason}: ${element.outerHTML.slice(0, 200)}`;
    }));
}"""


def violations(page, only=None):
    """Return what axe finds on a page: each rule, the element and what is wrong with it.

    The page is simplified for it; what is drawn stays in its place.

    only: the rules to ask for, instead of all.
    """
    page.add_style_tag(content=NO_SHADOWS)
    page.evaluate(SIMPLIFY, only == OF_COLOURS)
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(Axe().axe_script)
    options = OPTIONS | ({"runOnly": {"type": "rule", "values": only}} if only else {})
    return page.evaluate(RUN, options)
