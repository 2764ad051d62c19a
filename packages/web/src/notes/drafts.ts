import { keys, read, write } from '../lib/settings.ts';

/** A save that got no answer yet. It was made on the draft's base. */
export interface Sending {
  /** The idempotency key, however often it is sent. */
  readonly key: string;
  readonly text: string;
  /** When it was first sent, in Unix milliseconds. */
  readonly at: number;
}

/** A new note that the server has not answered for yet. Its first text is the draft's base. */
export interface Unmade {
  /** The idempotency key, however often it is sent. */
  readonly key: string;
  readonly folder?: string | undefined;
  readonly at: number;
}

/** What was typed and is not yet on the server, kept in this browser until it is. */
export interface Draft {
  baseVersion: number;
  /** The text the draft was made from. */
  base: string;
  text: string;
  sending?: Sending | undefined;
  unmade?: Unmade | undefined;
}

const prefix = 'sheaf.draft.';
const key = (id: string): string => prefix + id;

/** The notes that have one. */
export function namesOfDrafts(): string[] {
  return keys().flatMap((one) => (one.startsWith(prefix) ? one.slice(prefix.length) : []));
}

export function readDraft(id: string): Draft | undefined {
  const stored = read(key(id));
  if (stored === null) return undefined;
  const draft = parsed(stored);
  return typeof draft?.text === 'string' && typeof draft.base === 'string' && typeof draft.baseVersion === 'number'
    ? (draft as Draft)
    : undefined;
}

/** Whether it is stored. */
export function writeDraft(id: string, draft: Draft | undefined): boolean {
  return write(key(id), draft === undefined ? null : JSON.stringify(draft));
}

function parsed(text: string): Partial<Draft> | null {
  try {
    return JSON.parse(text) as Partial<Draft> | null;
  } catch (error) {
    console.info('draft', error);
    return null;
  }
}
