import { isLocalNoteId } from '../../lib/prefetch.ts';
import { newIdempotencyKey } from '../../lib/request-retries.ts';
import { randomId } from '../../lib/random-id.ts';
import { Store } from '../../ui/store.ts';
import { readDraft, writeDraft, type Draft } from './draft-storage.ts';
import { hasServerId } from './note-ids.ts';

interface NewNote {
  readonly id: string;
  readonly draft: Draft;
}

/** Text typed before the editor was loaded, with the start and end offset of the selection. */
export interface TypedText {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

export const newNote = new Store<NewNote | undefined>(undefined);

/**
 * Creates a note that at first exists only in this browser, so that the user can type at once. Returns its temporary
 * id; the server assigns the final id later.
 */
export function startNewNote(folder: string | undefined, title: string): string {
  if (newNote.get()) leaveNewNote();
  const id = `new_${randomId()}`;
  const base = `# ${title}\n`;
  const draft: Draft = { base, baseVersion: 1, text: base, unmade: { ...newIdempotencyKey(), folder } };
  writeDraft(id, draft);
  newNote.set({ id, draft });
  return id;
}

/**
 * Called when the user leaves a new note before its editor is loaded. Sends the typed text, which this browser has
 * stored as a draft, to the server.
 */
export function leaveNewNote(): void {
  newNote.set(undefined);
  import('./resume-drafts.ts')
    .then(({ resumeDrafts }) => resumeDrafts())
    .catch((error: unknown) => console.info('kept drafts', error));
}

/** Returns the draft of a note that does not exist on the server yet. Returns undefined for other notes. */
export function localNoteDraft(id: string): Draft | undefined {
  if (!isLocalNoteId(id)) return undefined;
  const open = newNote.get();
  return open?.id === id ? open.draft : readDraft(id);
}

let field: HTMLTextAreaElement | undefined;
let isComposing = false;

/** Registers the text field that receives typing until the editor is loaded. */
export function registerField(element: HTMLTextAreaElement | null): void {
  field = element ?? undefined;
  isComposing = false;
}

export function setComposing(isBegun: boolean): void {
  isComposing = isBegun;
}

export function updateNewNoteText(text: string): void {
  const open = newNote.get();
  if (!open) return;
  // The first line becomes a heading and each later line a paragraph, like in the editor.
  const [heading = '', ...paragraphs] = text.split('\n');
  const draft = { ...open.draft, text: text === '' ? open.draft.base : [`# ${heading}`, ...paragraphs].join('\n\n') };
  // Once the server has created the note, its draft is stored under the server's id instead.
  if (!hasServerId(open.id)) writeDraft(open.id, draft);
  newNote.set({ ...open, draft });
}

/**
 * Passes the text and selection of the temporary text field to `take`, a callback of the loaded editor. If an input
 * method is composing a word, waits until the word is complete.
 */
export function transferTyping(id: string, take: (typed: TypedText) => void): void {
  if (newNote.get()?.id !== id || !field) return;
  if (isComposing) {
    field.addEventListener('compositionend', () => setTimeout(() => transferTyping(id, take)), { once: true });
    return;
  }
  take({ text: field.value, from: field.selectionStart, to: field.selectionEnd });
  newNote.set(undefined);
}
