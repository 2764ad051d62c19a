import { isUnmadeNote } from '../lib/early.ts';
import { randomName } from '../lib/random-name.ts';
import { Store } from '../ui/store.ts';
import { readDraft, writeDraft, type Draft } from './drafts.ts';
import { isMade } from './made-notes.ts';

/** A new note that receives typing before its editor is loaded. */
interface Begun {
  readonly id: string;
  readonly draft: Draft;
}

/** Text typed before the editor was loaded, with its selection. */
export interface Typed {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

export const begun = new Store<Begun | undefined>(undefined);

/** Creates a note in this browser that can be typed into at once. The server assigns its id later. */
export function beginNote(folder: string | undefined, title: string): string {
  if (begun.get()) leaveNote();
  const id = `new_${randomName()}`;
  const base = `# ${title}\n`;
  const draft: Draft = { base, baseVersion: 1, text: base, unmade: { key: randomName(), folder, at: Date.now() } };
  writeDraft(id, draft);
  begun.set({ id, draft });
  return id;
}

/** Called when the user leaves before the editor is loaded: the typed text is sent from the draft. */
export function leaveNote(): void {
  begun.set(undefined);
  import('./kept-drafts.ts')
    .then(({ resumeKeptDrafts }) => resumeKeptDrafts())
    .catch((error: unknown) => console.info('kept drafts', error));
}

/** Returns the draft of a note that the server has not created yet. */
export function unmadeDraft(id: string): Draft | undefined {
  if (!isUnmadeNote(id)) return undefined;
  const open = begun.get();
  return open?.id === id ? open.draft : readDraft(id);
}

let field: HTMLTextAreaElement | undefined;
let isComposing = false;

/** Registers the text field that receives typing until the editor is loaded. */
export function typeInto(element: HTMLTextAreaElement | null): void {
  field = element ?? undefined;
  isComposing = false;
}

export function compose(isBegun: boolean): void {
  isComposing = isBegun;
}

export function typedInField(text: string): void {
  const open = begun.get();
  if (!open) return;
  // As in the editor, the first line is a heading and each later line a paragraph.
  const [heading = '', ...paragraphs] = text.split('\n');
  const draft = { ...open.draft, text: text === '' ? open.draft.base : [`# ${heading}`, ...paragraphs].join('\n\n') };
  // Once the note exists on the server, its draft is stored under the server's id.
  if (!isMade(open.id)) writeDraft(open.id, draft);
  begun.set({ ...open, draft });
}

/** Passes the typed text to the loaded editor, but never during an input method composition. */
export function handOver(id: string, take: (typed: Typed) => void): void {
  if (begun.get()?.id !== id || !field) return;
  if (isComposing) {
    field.addEventListener('compositionend', () => setTimeout(() => handOver(id, take)), { once: true });
    return;
  }
  take({ text: field.value, from: field.selectionStart, to: field.selectionEnd });
  begun.set(undefined);
}
