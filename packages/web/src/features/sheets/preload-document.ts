import type { SheetSession } from './sheet-session.ts';

let preloaded: { readonly id: string; readonly session: SheetSession } | undefined;

/**
 * Opens a document's session while the code of its page is still loading. Errors are only logged, because the page then
 * opens the document again and shows the error.
 */
export async function preloadDocument(id: string, tab: string | undefined): Promise<void> {
  try {
    const { openSession } = await import('./open-session.ts');
    preloaded = { id, session: await openSession(id, tab) };
  } catch (error) {
    console.info('opening the document', error);
  }
}

/**
 * Returns the preloaded session of a document and clears it. Returns undefined if none or another document was
 * preloaded.
 */
export function takePreloadedSession(id: string): SheetSession | undefined {
  const found = preloaded?.id === id ? preloaded.session : undefined;
  preloaded = undefined;
  return found;
}
