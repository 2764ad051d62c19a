import { read, write } from '../lib/settings.ts';

/** What was typed and is not yet on the server, kept in this browser until it is. */
interface Draft {
  baseVersion: number;
  /** The text the draft was made from. */
  base: string;
  text: string;
}

const key = (id: string): string => `sheaf.draft.${id}`;

export function readDraft(id: string): Draft | undefined {
  const stored = read(key(id));
  if (stored === null) return undefined;
  const draft = JSON.parse(stored) as Partial<Draft>;
  return typeof draft.text === 'string' && typeof draft.base === 'string' && typeof draft.baseVersion === 'number'
    ? (draft as Draft)
    : undefined;
}

export function writeDraft(id: string, draft: Draft | undefined): void {
  write(key(id), draft === undefined ? null : JSON.stringify(draft));
}
