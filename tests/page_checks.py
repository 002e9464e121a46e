"""What the page tests ask of a page that is open in the browser; each answer is what is wrong."""

# What a page does about a new size of its window it does with the frame after it.
DRAWN_AGAIN = """() => new Promise((done) =>
    requestAnimationFrame(() => requestAnimationFrame(done)))"""
# What a reader may open is checked as it is then; the answer is what is still closed.
OPEN_FOLDS = """() => {
    for (const fold of document.querySelectorAll('article details')) fold.open = true;
    return [...document.querySelectorAll('article details')].filter((fold) =>
        [...fold.children].some((part) => !part.checkVisibility())
    ).map((fold) => fold.outerHTML.slice(0, 200));
}"""
OVERFLOW = "() => document.scrollingElement.scrollWidth - window.innerWidth"
# A formula is drawn for the eye, hidden from screen readers, and has its MathML beside it for them.
UNDRAWN_FORMULAS = """() => [...document.querySelectorAll('.math')].filter((formula) => {
    const drawn = formula.querySelector('mjx-math[aria-hidden="true"]');
    const spoken = formula.querySelector('mjx-assistive-mml > math');
    if (!drawn || !spoken?.textContent.trim()) return true;
    if (formula.querySelector('mjx-merror, merror')) return true;
    const children = {msup: 2, msub: 2, mfrac: 2, mroot: 2, munder: 2, mover: 2, msubsup: 3,
        munderover: 3};
    if ([...spoken.querySelectorAll(Object.keys(children).join())].some(
        (part) => part.childElementCount !== children[part.localName])) return true;
    return formula.checkVisibility() && drawn.getBoundingClientRect().width === 0;
}).map((formula) => formula.textContent)"""
# Text that its box hides: nothing scrolls there, and no other element shows it.
CUT = """() => [...document.querySelectorAll('article *, header *')].filter((box) => {
    const hides = ['hidden', 'clip'].includes(getComputedStyle(box).overflowX);
    const aside = 'mjx-assistive-mml, mjx-assistive-mml *, svg *, .visually-hidden';
    return hides && !box.matches(aside) && box.checkVisibility() && box.textContent.trim()
        && box.clientWidth > 1 && box.scrollWidth > box.clientWidth + 1;
}).map((box) => box.outerHTML.slice(0, 200))"""
# What stands beside the window, where one cannot scroll to.
BESIDE_THE_WINDOW = """() => [...document.querySelectorAll('article :is(p, aside)')].filter((box) =>
    box.checkVisibility() && box.getBoundingClientRect().right > window.innerWidth + 1
        && !box.closest('.pst-scrollable-table-container, .cell_output, mjx-container')
).map((box) => box.outerHTML.slice(0, 200))"""
# A moment after the window has another size, the theme lets Tab reach what scrolls in it.
SCROLLED_BY_KEYBOARD = """() => [...document.querySelectorAll(
    'pre, .cell_output > .output, .pst-scrollable-table-container')].every(
    (box) => box.tabIndex === 0 || box.scrollWidth <= box.clientWidth)"""
UNDRAWN_CHARTS = """() => [...document.querySelectorAll('.at-chart')].filter((chart) => {
    const drawn = chart.querySelector('canvas, svg')?.getBoundingClientRect();
    return chart.checkVisibility() && !(drawn && drawn.width > 0 && drawn.height > 0);
}).map((chart) => chart.id)"""
# What a reader cannot read of a chart: a name in its legend, or a number, that its picture cuts.
# The box of words that stand aslant is larger than they are.
CUT_IN_CHARTS = """() => [...document.querySelectorAll('.at-chart svg text')].filter((text) => {
    const words = text.getBoundingClientRect(), picture = text.closest('svg.marks');
    return words.height < 30 && words.right > picture.getBoundingClientRect().right + 2;
}).map((text) => text.textContent)"""
BAD_IMAGES = """() => [...document.images].filter(
    (image) => !image.complete || !image.naturalWidth || !image.alt.trim()
).map((image) => `${image.src}: alt ${JSON.stringify(image.alt)}`)"""
# A picture whose height does not follow when a phone makes it narrower: its shape is off by more
# than a hundredth, and by more than the pixel that rounding takes.
STRETCHED = """() => [...document.querySelectorAll('article img')].filter((image) => {
    const style = getComputedStyle(image), length = (name) => parseFloat(style[name]);
    const width = length('width') - length('paddingLeft') - length('paddingRight');
    const height = length('height') - length('paddingTop') - length('paddingBottom');
    const own = width * image.naturalHeight / image.naturalWidth;
    return image.checkVisibility() && Math.abs(height - own) > Math.max(1, own / 100);
}).map((image) => `${image.src}: ${image.width} by ${image.height}`)"""
UNCAPTIONED = """() => [...document.querySelectorAll('article figure')].filter(
    (figure) => !figure.querySelector('figcaption')?.textContent.trim()).map((f) => f.id)"""
# On a map that is drawn by hand the words of a box stay inside of it, whatever the font.
OUTSIDE_BOX = """() => [...document.querySelectorAll('svg[role="group"] a')].flatMap((link) => {
    const box = link.querySelector('rect')?.getBoundingClientRect();
    return [...link.querySelectorAll('text')].filter((text) => {
        const words = text.getBoundingClientRect();
        return box && (words.left < box.left || words.right > box.right
            || words.top < box.top || words.bottom > box.bottom);
    }).map((text) => text.textContent);
})"""
# An icon that lies on the characters that a reader types into the field beside it.
ICON_ON_THE_TEXT = """() => [...document.querySelectorAll('form input')].filter((field) => {
    const icon = field.parentElement.querySelector('i, svg')?.getBoundingClientRect();
    const {paddingLeft} = getComputedStyle(field);
    const text = field.getBoundingClientRect().left + parseFloat(paddingLeft);
    return field.checkVisibility() && icon?.width && icon.right > text;
}).map((field) => field.outerHTML.slice(0, 200))"""
# Backticks, colons, stars, dollars and roles that the builder should have read and did not.
RAW_MARKUP = r"""() => {
    const shown = 'pre, code, .sig, script, style, .math, mjx-container, .at-chart';
    const walker = document.createTreeWalker(
        document.querySelector('article') ?? document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
        const {data, parentElement} = walker.currentNode;
        if (/`|:::|\*\*|\$|\]\(|\{[\w:-]+\}/.test(data) && !parentElement.closest(shown))
            found.push(data.trim());
    }
    return found;
}"""
HANGUL = """() => [...new Set(
    document.body.innerText.match(/[\\u1100-\\u11ff\\u3130-\\u318f\\uac00-\\ud7a3]/g) ?? [])]"""
# A character without a glyph is drawn as the font's box, the same for all of them.
BOXES = """(characters) => {
    const canvas = Object.assign(document.createElement('canvas'), {width: 40, height: 40});
    const brush = canvas.getContext('2d', {willReadFrequently: true});
    const text = document.querySelector('article') ?? document.body;
    brush.font = `30px ${getComputedStyle(text).fontFamily}`;
    const draw = (character) => {
        brush.clearRect(0, 0, 40, 40);
        brush.fillText(character, 2, 32);
        return brush.getImageData(0, 0, 40, 40).data.join();
    };
    const empty = draw(' '), box = draw('\\u{10fffe}');
    return characters.filter((c) => [empty, box].includes(draw(c)));
}"""
# What the card of a chapter's letters lies on; it stands in the margin, beside other notes.
UNDER_THE_CARD = """() => {
    const card = document.querySelector('.at-letters').getBoundingClientRect();
    return [...document.querySelectorAll(
        'article :is(p, pre, table, figure, li, img, summary, .math, .cell, aside.margin)'
    )].filter((other) => {
        const box = other.getBoundingClientRect();
        return !other.closest('.at-letters') && box.width && other.checkVisibility()
            && Math.min(box.right, card.right) - Math.max(box.left, card.left) > 1
            && Math.min(box.bottom, card.bottom) - Math.max(box.top, card.top) > 1;
    }).map((other) => other.outerHTML.slice(0, 120));
}"""
CARD_IS_OPEN = "() => document.querySelector('.at-letters details').open"
HIGHEST_CARD = 520  # pixels: a note beside it is not pushed far from what it is about
