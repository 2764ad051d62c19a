import { readJson, storageKeys, writeStorage } from '../../lib/browser-storage.ts';
import type { IdempotencyKey } from '../../lib/request-retries.ts';

/** A save that was sent but not acknowledged yet. It is based on the draft's `baseVersion`. */
export interface PendingSave extends IdempotencyKey {
  readonly text: string;
}

/** A new note that the server has not confirmed yet. Its initial text is the draft's `base`. */
export interface PendingCreation extends IdempotencyKey {
  readonly folder?: string | undefined;
}

/** Unsaved text of a note, stored in this browser until the server has saved it. */
export interface Draft {
  baseVersion: number;
  /** Last text known to be on the server. The draft is based on it. */
  base: string;
  text: string;
  sending?: PendingSave | undefined;
  unmade?: PendingCreation | undefined;
}

const prefix = 'sheaf.draft.';
const key = (id: string): string => prefix + id;

export function noteIdsWithDrafts(): string[] {
  return storageKeys().flatMap((one) => (one.startsWith(prefix) ? one.slice(prefix.length) : []));
}

export function readDraft(id: string): Draft | undefined {
  const draft = readJson<Partial<Draft>>(key(id));
  return typeof draft?.text === 'string' && typeof draft.base === 'string' && typeof draft.baseVersion === 'number'
    ? (draft as Draft)
    : undefined;
}

/** Stores a draft, or deletes it if undefined. Returns false if the browser could not store it. */
export function writeDraft(id: string, draft: Draft | undefined): boolean {
  return writeStorage(key(id), draft === undefined ? null : JSON.stringify(draft));
}
