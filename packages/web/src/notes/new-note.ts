import { isUnmadeNote } from '../lib/early.ts';
import { randomName } from '../lib/random-name.ts';
import { Store } from '../ui/store.ts';
import { readDraft, writeDraft, type Draft } from './drafts.ts';
import { isMade } from './made-notes.ts';

/** A new note that is typed into before its editor is there. */
interface Begun {
  readonly id: string;
  readonly draft: Draft;
}

/** What was typed until the editor was there, and what of it is selected. */
export interface Typed {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

export const begun = new Store<Begun | undefined>(undefined);

/** Opens a new note in this browser, to be typed into at once. It gets its id from the server when that answers. */
export function beginNote(folder: string | undefined, title: string): string {
  if (begun.get()) leaveNote();
  const id = `new_${randomName()}`;
  const base = `# ${title}\n`;
  const draft: Draft = { base, baseVersion: 1, text: base, unmade: { key: randomName(), folder, at: Date.now() } };
  writeDraft(id, draft);
  begun.set({ id, draft });
  return id;
}

/** Whoever goes elsewhere before the editor is there: what they typed is in the draft, and is sent from there. */
export function leaveNote(): void {
  begun.set(undefined);
  import('./kept-drafts.ts')
    .then(({ resumeKeptDrafts }) => resumeKeptDrafts())
    .catch((error: unknown) => console.info('kept drafts', error));
}

/** Of a note that is not made yet. */
export function unmadeDraft(id: string): Draft | undefined {
  if (!isUnmadeNote(id)) return undefined;
  const open = begun.get();
  return open?.id === id ? open.draft : readDraft(id);
}

let field: HTMLTextAreaElement | undefined;
let isComposing = false;

/** The field that takes what is typed until then. */
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
  // As Enter means it in the editor: a heading, and paragraphs.
  const [heading = '', ...paragraphs] = text.split('\n');
  const draft = { ...open.draft, text: text === '' ? open.draft.base : [`# ${heading}`, ...paragraphs].join('\n\n') };
  // Once it is made, its draft goes by the id that the server gave.
  if (!isMade(open.id)) writeDraft(open.id, draft);
  begun.set({ ...open, draft });
}

/** Gives what was typed to the editor that is there now; never in the middle of a word that an input method still forms. */
export function handOver(id: string, take: (typed: Typed) => void): void {
  if (begun.get()?.id !== id || !field) return;
  if (isComposing) {
    field.addEventListener('compositionend', () => setTimeout(() => handOver(id, take)), { once: true });
    return;
  }
  take({ text: field.value, from: field.selectionStart, to: field.selectionEnd });
  begun.set(undefined);
}
