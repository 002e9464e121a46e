"""A page made smaller for axe: of what looks and speaks alike, axe is shown one."""

# The time that axe takes grows with the number of elements and of texts whose contrast it counts.
# Contrast depends on colours and sizes, so the first element of each kind is looked at: of a kind
# are texts that look the same on the same ground, links only if the text around them does too.
# What lies on the page by itself (its position is not static) is another ground than the page.
# Words that are not looked at lose their element if it says nothing but how they look, and another
# with the same names and the same look stays, which is alike in the other theme too: those of a
# listing or signature, and others unless a control or something that scrolls has its size by them.
# The strokes of formulas and drawings go, which have no text; a formula that scrolls keeps a text
# at its end, for axe to see that. Of the marks beside each other in a chart one stays for all that
# differ only in what their labels say. For the rules of colours alone whatever neither is looked at
# nor paints goes as well; only words stay, which a link among them is told from.
# None of this may change what is looked at: an error says so, before axe is asked.
SIMPLIFY = r"""(coloursAlone) => {
    const telling = /^(role|aria-(?!hidden)|id$|lang|tabindex|title|(xlink:)?href)/;
    const speech = ({name, value}) => name === 'aria-label' ? name + !value.trim() : name + value;
    const gone = new Set(), kept = new Map();
    for (const part of [...document.querySelectorAll('svg *')].reverse()) {  // innermost first
        const empty = [...part.childNodes].every((child) => gone.has(child)
            || child.nodeType !== 1 && !child.data.trim());
        if (!empty || part.closest('svg a, svg [tabindex], defs, clipPath, foreignObject'))
            continue;
        const told = [...part.attributes].filter(({name}) => telling.test(name));
        if (told.length) {
            const kind = [part.localName, part.checkVisibility({visibilityProperty: true}),
                ...told.map(speech)].join('|');
            const siblings = kept.get(part.parentNode) ?? new Set();
            kept.set(part.parentNode, siblings);
            if (!siblings.has(kind)) {
                siblings.add(kind);
                continue;
            }
        }
        gone.add(part);
    }
    const scrolling = [...document.querySelectorAll('article :not(mjx-container *)')].filter(
        (box) => (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight)
            && getComputedStyle(box).overflow !== 'visible');
    const drawn = [...document.querySelectorAll('mjx-math')];
    const boxes = drawn.map((formula) => formula.getBoundingClientRect());
    drawn.forEach((formula, place) => {
        const {width, height} = boxes[place];
        formula.style.cssText += `; display: inline-block; width: ${width}px; height: ${height}px`;
        formula.replaceChildren();
    });
    const rooms = drawn.map((formula) => formula.parentElement.clientWidth);  // one layout for all
    drawn.forEach((formula, place) => {
        if (rooms[place] && boxes[place].width > rooms[place] + 1) {
            const end = formula.appendChild(document.createElement('span'));
            end.style.cssText = 'float: right';
            end.textContent = 'x';
        }
    });
    for (const formula of document.querySelectorAll('mjx-assistive-mml > math'))
        formula.textContent = formula.textContent;
    gone.forEach((part) => part.remove());

    const grounds = new Map();
    const groundOf = (element) => {  // whatever is painted below the text of an element
        if (!element) return '';
        if (!grounds.has(element))
            grounds.set(element, groundOf(element.parentElement) + paintOf(element));
        return grounds.get(element);
    };
    const paintOf = (element) => {
        const {backgroundColor, backgroundImage, opacity, filter, position, zIndex}
            = getComputedStyle(element);
        const paints = backgroundColor !== 'rgba(0, 0, 0, 0)' || backgroundImage !== 'none'
            || opacity !== '1' || filter !== 'none' || position !== 'static';
        const all = [backgroundColor, backgroundImage, opacity, filter, position, zIndex];
        return paints ? `/${all.join()}` : '';
    };
    const looks = new Map();
    const lookOf = (element) => {
        if (!looks.has(element)) {
            const {color, fontSize, fontWeight, textShadow, textDecoration, borderBottom}
                = getComputedStyle(element);
            looks.set(element,
                [color, fontSize, fontWeight, textShadow, textDecoration, borderBottom].join());
        }
        return looks.get(element);
    };
    const kindOf = (element) => [element.matches('input, select, textarea, button'),
        ...element.matches('a[href]') ? [element.className, lookOf(element.parentElement)] : [],
        lookOf(element), groundOf(element)].join('|');
    const hasText = (element) => element.matches('a[href], input, select, textarea')
        || [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const first = new Map();
    for (const element of document.querySelectorAll('body, body *')) {
        if (!hasText(element) || !element.checkVisibility()) continue;
        const kind = kindOf(element);
        if (first.has(kind)) continue;
        first.set(kind, element);
        element.dataset.lookedAt = '';
    }
    const isPlain = (word) => {
        const {display, position} = getComputedStyle(word);
        return display === 'inline' && position === 'static' && word.textContent.trim()
            && [...word.attributes].every(({name}) => name === 'class')
            && !word.closest('a, button, label, summary, [tabindex]')
            && word.checkVisibility({visibilityProperty: true})
            && !scrolling.some((box) => box.contains(word));
    };
    const words = document.querySelectorAll(':is(.highlight, .sig) :is(span, em),'
        + 'article :is(b, code, em, i, span, strong, sub, sup)');
    const named = (element) => `${element.localName}.${element.className}`;
    const alike = new Set();
    const hasTwin = (word) => {  // in the other theme as well
        const above = [word.parentElement, word.parentElement.parentElement];
        const kind = [word, ...above].map(named).join(' < ') + kindOf(word);
        return alike.has(kind) || !alike.add(kind);
    };
    const plain = [...words].filter((word) => hasTwin(word) && !('lookedAt' in word.dataset)
        && (word.matches(':is(.highlight, .sig) *') || isPlain(word)));
    for (const word of plain.reverse())  // from the innermost outwards
        if (!word.children.length) word.replaceWith(word.textContent);
    if (coloursAlone) {
        const rest = document.querySelectorAll(
            'article :is(a, b, code, dd, div, dl, dt, em, i, li, ol, p, section, span, ul),'
            + 'svg :not(style)');
        const bare = [...rest].filter((element) => !('lookedAt' in element.dataset))
            .map((element) => [element, !paintOf(element) && getComputedStyle(element).display]);
        for (const [element, display] of bare.reverse())
            if (display && !element.children.length)
                element.replaceWith(display === 'inline' && element.matches('article *:not(svg *)')
                    ? element.textContent : '');
    }
    document.body.normalize();

    grounds.clear();
    looks.clear();
    for (const [kind, element] of first)
        if (kindOf(element) !== kind)
            throw new Error(`simplified, it looks different: ${element.outerHTML.slice(0, 200)}`);
}"""
