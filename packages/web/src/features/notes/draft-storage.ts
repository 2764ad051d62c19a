import { readJson, storageKeys, writeStorage } from '../../lib/browser-storage.ts';
import type { DeliveryKey } from '../../lib/delivery.ts';

/** A save that was sent and not answered yet, based on the draft's base. */
export interface PendingSave extends DeliveryKey {
  readonly text: string;
}

/** A new note whose creation the server has not confirmed yet. Its initial text is the draft's base. */
export interface PendingCreation extends DeliveryKey {
  readonly folder?: string | undefined;
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
  const draft = readJson<Partial<Draft>>(key(id));
  return typeof draft?.text === 'string' && typeof draft.base === 'string' && typeof draft.baseVersion === 'number'
    ? (draft as Draft)
    : undefined;
}

/** Returns false if the draft could not be stored. */
export function writeDraft(id: string, draft: Draft | undefined): boolean {
  return writeStorage(key(id), draft === undefined ? null : JSON.stringify(draft));
}
