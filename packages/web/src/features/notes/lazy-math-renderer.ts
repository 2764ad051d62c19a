import type { Formula } from './math-syntax.ts';

/** Renders a formula into an element that shows its source, once the renderer is loaded. */
export async function renderMathLazily(element: HTMLElement, formula: Formula): Promise<void> {
  try {
    (await import('./math-renderer.ts')).renderMath(element, formula);
  } catch (error) {
    console.info('formula', error);
  }
}
