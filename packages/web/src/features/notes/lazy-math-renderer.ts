import type { Formula } from '@sheaf/markdown/math-syntax';

/**
 * Loads the formula renderer and renders a formula into an element. Until then, and if loading fails, the element keeps
 * its content, the TeX source.
 */
export async function renderMathLazily(element: HTMLElement, formula: Formula): Promise<void> {
  try {
    (await import('./math-renderer.ts')).renderMath(element, formula);
  } catch (error) {
    console.info('formula', error);
  }
}
