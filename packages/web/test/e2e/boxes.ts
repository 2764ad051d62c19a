import type { Page } from 'playwright-core';

/**
 * Returns what is wrong with the places of a page's controls and texts: outside of the window, cut off by an element that
 * does not scroll, beyond the side of a page, or over another control. Text that ends in an ellipsis on purpose is not a fault.
 */
export function boxFaults(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const faults: string[] = [];
    const name = (one: Element): string =>
      `${one.localName} "${(one.getAttribute('aria-label') ?? one.textContent ?? '').trim().slice(0, 40)}"`;
    const isShown = (one: Element): boolean =>
      one.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      one.closest('[aria-hidden=true], [inert], .sr-only, [data-grid]') === null;
    /** The part of an element that its ancestors let through; undefined if it is scrolled away. */
    const seen = (one: Element): { box: DOMRect; isCut: boolean } | undefined => {
      const box = one.getBoundingClientRect();
      if (box.width < 2 || box.height < 2) return undefined;
      for (let parent = one.parentElement; parent; parent = parent.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(parent);
        const clip = parent.getBoundingClientRect();
        const scrollsX = overflowX === 'auto' || overflowX === 'scroll';
        const scrollsY = overflowY === 'auto' || overflowY === 'scroll';
        const isOutX = box.right > clip.right + 1 || box.left < clip.left - 1;
        const isOutY = box.bottom > clip.bottom + 1 || box.top < clip.top - 1;
        if ((scrollsX && isOutX) || (scrollsY && isOutY)) return undefined;
        if ((overflowX === 'hidden' && isOutX) || (overflowY === 'hidden' && isOutY)) return { box, isCut: true };
      }
      return { box, isCut: false };
    };
    const root = document.querySelector('dialog[open]') ?? document.body;
    const controls = [...root.querySelectorAll('button, a[href], input, select, textarea, [role=tab]')].filter(isShown);
    const boxes: { one: Element; box: DOMRect }[] = [];
    for (const one of controls) {
      const found = seen(one);
      if (!found) continue;
      const { box, isCut } = found;
      if (isCut) faults.push(`cut off: ${name(one)}`);
      if (box.left < -1 || box.right > innerWidth + 1) faults.push(`outside: ${name(one)}`);
      if (!isCut) boxes.push({ one, box });
    }
    for (const [index, { one, box }] of boxes.entries())
      for (const { one: other, box: at } of boxes.slice(index + 1)) {
        const across = Math.min(box.right, at.right) - Math.max(box.left, at.left);
        const down = Math.min(box.bottom, at.bottom) - Math.max(box.top, at.top);
        if (across <= 2 || down <= 2 || one.contains(other) || other.contains(one)) continue;
        const isWithin = (inner: DOMRect, outer: DOMRect): boolean =>
          inner.left >= outer.left &&
          inner.right <= outer.right &&
          inner.top >= outer.top &&
          inner.bottom <= outer.bottom;
        // A button within a field, such as the one that clears it.
        if (/input|textarea/.test(one.localName + other.localName) && (isWithin(box, at) || isWithin(at, box)))
          continue;
        faults.push(`overlap: ${name(one)} and ${name(other)}`);
      }
    for (const one of root.querySelectorAll('h1, h2, button, a, label, th, td, p, span, dt, dd')) {
      if (!isShown(one) || one.childElementCount > 0 || (one.textContent ?? '').trim() === '') continue;
      const style = getComputedStyle(one);
      if (style.overflowX !== 'hidden' || style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none')
        continue;
      if (one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 1) faults.push(`text cut off: ${name(one)}`);
    }
    // A page scrolls from top to bottom, not from side to side; a wide table in it may.
    for (const one of root.querySelectorAll('main, main div:has(h1)')) {
      const scrolls = getComputedStyle(one).overflowY === 'auto';
      if (scrolls && isShown(one) && one.scrollWidth > one.clientWidth + 1)
        faults.push(`scrolls sideways: ${name(one)}`);
    }
    if (document.documentElement.scrollWidth > innerWidth + 1) faults.push('the page is wider than the window');
    return faults;
  });
}
