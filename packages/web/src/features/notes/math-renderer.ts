import temml from 'temml';
import type { Formula } from '@sheaf/markdown/math-syntax';

/**
 * Matches commands that define macros. Formulas with such commands are shown as source, because a short macro can
 * expand into a huge formula.
 */
const defines =
  /\\(?:[egx]?def|let|futurelet|global|long|(?:re)?newcommand|providecommand|DeclareMathOperator)(?![a-zA-Z])/;
const maxLength = 5000;
/** Maximum rendering time per task in milliseconds, so that a note with many formulas does not block the page. */
const sliceMs = 8;

const renderQueue: { readonly element: HTMLElement; readonly formula: Formula }[] = [];
let isRendering = false;

/** Queues a formula for rendering into an element. An invalid formula stays visible as source. */
export function renderMath(element: HTMLElement, formula: Formula): void {
  renderQueue.push({ element, formula });
  if (!isRendering) renderQueued();
}

function renderQueued(): void {
  const started = performance.now();
  isRendering = true;
  while (performance.now() - started < sliceMs) {
    const next = renderQueue.shift();
    if (!next) {
      isRendering = false;
      return;
    }
    renderOne(next.element, next.formula);
  }
  setTimeout(renderQueued);
}

function renderOne(element: HTMLElement, { tex, isDisplay }: Formula): void {
  if (tex.length > maxLength || defines.test(tex)) return;
  const drawn = document.createElement('span');
  try {
    temml.render(tex, drawn, { displayMode: isDisplay, throwOnError: true, trust: false, maxSize: [40, 400] });
  } catch (error) {
    element.title = error instanceof Error ? error.message : String(error);
    return;
  }
  element.replaceChildren(...drawn.childNodes);
  element.dataset['math'] = isDisplay ? 'block' : 'inline';
}
