import type { SheetSession } from './sheet-session.ts';

let preloaded: { readonly id: string; readonly session: SheetSession } | undefined;

/** Opens a document while the code of its page is still loading. The page itself reports errors. */
export async function preloadDocument(id: string, tab: string | undefined): Promise<void> {
  try {
    const { openSession } = await import('./open-session.ts');
    preloaded = { id, session: await openSession(id, tab) };
  } catch (error) {
    console.info('opening the document', error);
  }
}

/** Returns the prepared session, once. */
export function takePreloadedSession(id: string): SheetSession | undefined {
  const found = preloaded?.id === id ? preloaded.session : undefined;
  preloaded = undefined;
  return found;
}
