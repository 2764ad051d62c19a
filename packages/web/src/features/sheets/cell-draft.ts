import { randomId } from '../../lib/random-id.ts';
import { storageKeys, readStorage, writeStorage } from '../../lib/browser-storage.ts';
import { language, translatorFor } from '../../i18n/use-translation.ts';
import { showToast } from '../../ui/toast.tsx';
import { cellName, singleCellRange } from './cell-geometry.ts';
import type { CellEdit } from './grid/edit-state.ts';
import type { ActionContext } from './sheet-actions.ts';

/** Text typed into a cell but not yet entered. It is stored, so that it survives closing the page. */
interface CellDraft {
  readonly tab: string;
  readonly row: number;
  readonly col: number;
  readonly text: string;
  readonly page: string;
  /** Time of the last change, in Unix milliseconds. */
  readonly at: number;
}

const maxAgeMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Stores the text being typed into a cell in the browser until it is entered or cancelled, and restores text from an
 * earlier visit. Returns a function that stops storing.
 *
 * Text typed in this browser tab is restored into its cell at once. Text typed in another browser tab is only offered
 * in a message, because that tab may still be open.
 */
export function persistCellDraft({ grid, typing }: ActionContext): () => void {
  const { session, editing } = grid;
  if (!session.mayWrite) return () => undefined;
  const prefix = `sheaf.half-typed/${session.outbox.name}/`;
  const keyOf = ({ tab, row, col }: Pick<CellEdit, 'tab' | 'row' | 'col'>): string => `${prefix}${tab}/${row}/${col}`;
  /**
   * Returns whether the typed text must be stored: it is not empty and differs from the cell's content, as far as that
   * is known. The content is known only for cells of the displayed sheet.
   */
  const isNew = ({ tab, row, col, text }: CellEdit): boolean =>
    text !== '' && !(tab === grid.model.sheetId && text === grid.model.cell(row, col).input);
  const resume = ({ tab, row, col, text }: CellDraft): void => {
    if (typing.isEditing) typing.commit();
    session.goTo(tab, singleCellRange(row, col));
    typing.beginTyped(text);
  };
  const page = browserTabId();
  for (const { key, value } of storedDrafts(prefix)) {
    if (!value || Date.now() - value.at > maxAgeMs || !session.tabs.get().some(({ id }) => id === value.tab))
      writeStorage(key, null);
    else if (value.page === page && !typing.isEditing) resume(value);
    else {
      const text = translatorFor(language.get());
      const action = { label: text('continueTyping'), run: () => resume(value) };
      showToast(text('halfTyped', { cell: cellName(value.row, value.col) }), action);
    }
  }
  let kept = editing.state.get();
  return editing.state.subscribe(() => {
    const edit = editing.state.get();
    if (kept && (!edit || keyOf(edit) !== keyOf(kept))) writeStorage(keyOf(kept), null);
    if (edit && edit.text !== kept?.text)
      writeStorage(keyOf(edit), isNew(edit) ? JSON.stringify({ ...draftFields(edit), page, at: Date.now() }) : null);
    kept = edit;
  });
}

function draftFields({ tab, row, col, text }: CellEdit): Pick<CellDraft, 'tab' | 'row' | 'col' | 'text'> {
  return { tab, row, col, text };
}

function storedDrafts(prefix: string): { key: string; value: CellDraft | undefined }[] {
  return storageKeys()
    .filter((key) => key.startsWith(prefix))
    .map((key) => ({ key, value: parseDraft(readStorage(key) ?? '') }));
}

function parseDraft(text: string): CellDraft | undefined {
  try {
    return JSON.parse(text) as CellDraft;
  } catch (error) {
    console.info('half-typed cell', error);
    return undefined;
  }
}

/** Returns an id of this browser tab. It is stored in the session storage, so that it survives a reload. */
function browserTabId(): string {
  const key = 'sheaf.page';
  try {
    const name = sessionStorage.getItem(key) ?? randomId();
    sessionStorage.setItem(key, name);
    return name;
  } catch (error) {
    console.info('browser storage', error);
    return randomId();
  }
}
