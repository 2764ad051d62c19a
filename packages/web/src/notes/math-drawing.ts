import temml from 'temml';
import type { Formula } from './math-text.ts';

/** Definitions can make a short text a long formula: such is shown as it is written. */
const defines =
  /\\(?:[egx]?def|let|futurelet|global|long|(?:re)?newcommand|providecommand|DeclareMathOperator)(?![a-zA-Z])/;
const maxLength = 5000;
/** The page stays quick while a note of a thousand formulas is drawn. */
const sliceMs = 8;

const waiting: { readonly element: HTMLElement; readonly formula: Formula }[] = [];
let isDrawing = false;

/** Puts a formula into an element, as soon as its turn comes. What cannot be read stays there as it is written. */
export function drawMath(element: HTMLElement, formula: Formula): void {
  waiting.push({ element, formula });
  if (!isDrawing) draw();
}

function draw(): void {
  const started = performance.now();
  isDrawing = true;
  while (performance.now() - started < sliceMs) {
    const next = waiting.shift();
    if (!next) {
      isDrawing = false;
      return;
    }
    drawOne(next.element, next.formula);
  }
  setTimeout(draw);
}

function drawOne(element: HTMLElement, { tex, isDisplay }: Formula): void {
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
