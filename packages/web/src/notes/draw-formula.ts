import type { Formula } from './math-text.ts';

/** Draws a formula into an element that has it as it is written, when what draws it is there. */
export async function drawFormula(element: HTMLElement, formula: Formula): Promise<void> {
  try {
    (await import('./math-drawing.ts')).drawMath(element, formula);
  } catch (error) {
    console.info('formula', error);
  }
}
