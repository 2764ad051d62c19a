import type { SheetSession } from './session.ts';

let prepared: { readonly id: string; readonly session: SheetSession } | undefined;

/** Opens a document while the code of its page is still loading. The page itself reports errors. */
export async function prepareDocument(id: string, tab: string | undefined): Promise<void> {
  try {
    const { openSession } = await import('./open-session.ts');
    prepared = { id, session: await openSession(id, tab) };
  } catch (error) {
    console.info('opening the document', error);
  }
}

/** Returns the prepared session, once. */
export function takePrepared(id: string): SheetSession | undefined {
  const found = prepared?.id === id ? prepared.session : undefined;
  prepared = undefined;
  return found;
}
