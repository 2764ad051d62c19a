import type { Formula } from '@sheaf/markdown/math-syntax';

/**
 * Loads the formula renderer and renders a formula into an element. Until then, or if loading fails, the element
 * shows the TeX source.
 */
export async function renderMathLazily(element: HTMLElement, formula: Formula): Promise<void> {
  try {
    (await import('./math-renderer.ts')).renderMath(element, formula);
  } catch (error) {
    console.info('formula', error);
  }
}
