import type { Formula } from './math-text.ts';

/** Renders a formula into an element that shows its source, once the renderer is loaded. */
export async function drawFormula(element: HTMLElement, formula: Formula): Promise<void> {
  try {
    (await import('./math-drawing.ts')).drawMath(element, formula);
  } catch (error) {
    console.info('formula', error);
  }
}
