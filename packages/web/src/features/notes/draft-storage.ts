import { storageKeys, readStorage, writeStorage } from '../../lib/browser-storage.ts';

/** A save that was sent and not answered yet, based on the draft's base. */
export interface PendingSave {
  /** The idempotency key of every attempt. */
  readonly key: string;
  readonly text: string;
  /** Time of the first attempt, in Unix milliseconds. */
  readonly at: number;
}

/** A new note whose creation the server has not confirmed yet. Its initial text is the draft's base. */
export interface PendingCreation {
  /** The idempotency key of every attempt. */
  readonly key: string;
  readonly folder?: string | undefined;
  readonly at: number;
}

/** Text that is not on the server yet, stored in this browser until it is. */
export interface Draft {
  baseVersion: number;
  /** The text on the server that the draft is based on. */
  base: string;
  text: string;
  sending?: PendingSave | undefined;
  unmade?: PendingCreation | undefined;
}

const prefix = 'sheaf.draft.';
const key = (id: string): string => prefix + id;

/** Returns the ids of the notes that have a draft. */
export function noteIdsWithDrafts(): string[] {
  return storageKeys().flatMap((one) => (one.startsWith(prefix) ? one.slice(prefix.length) : []));
}

export function readDraft(id: string): Draft | undefined {
  const stored = readStorage(key(id));
  if (stored === null) return undefined;
  const draft = parseDraft(stored);
  return typeof draft?.text === 'string' && typeof draft.base === 'string' && typeof draft.baseVersion === 'number'
    ? (draft as Draft)
    : undefined;
}

/** Returns false if the draft could not be stored. */
export function writeDraft(id: string, draft: Draft | undefined): boolean {
  return writeStorage(key(id), draft === undefined ? null : JSON.stringify(draft));
}

function parseDraft(text: string): Partial<Draft> | null {
  try {
    return JSON.parse(text) as Partial<Draft> | null;
  } catch (error) {
    console.info('draft', error);
    return null;
  }
}
