import type { Formula } from '@sheaf/markdown/math-syntax';

/**
 * Loads the formula renderer and renders a formula into an element. The element shows the TeX source until then, or
 * permanently if loading fails.
 */
export async function renderMathLazily(element: HTMLElement, formula: Formula): Promise<void> {
  try {
    (await import('./math-renderer.ts')).renderMath(element, formula);
  } catch (error) {
    console.info('formula', error);
  }
}
