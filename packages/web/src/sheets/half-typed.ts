import { randomName } from '../lib/random-name.ts';
import { keys, read, write } from '../lib/settings.ts';
import { language, textIn } from '../text/use-text.ts';
import { say } from '../ui/toast.tsx';
import { cellName, cellRange } from './geometry.ts';
import type { Edit } from './grid/editing.ts';
import type { GridParts } from './grid/grid-view.tsx';

/** Unconfirmed input in a cell when the page was closed. */
interface HalfTyped {
  readonly tab: string;
  readonly row: number;
  readonly col: number;
  readonly text: string;
  /** The browser tab in which the text was typed. */
  readonly page: string;
  /** Unix milliseconds. */
  readonly at: number;
}

const maxAgeMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Stores the text being typed into a cell in the browser until it is entered or cancelled, and restores what an earlier
 * visit left. Text from this browser tab is put back into its cell at once; other text is offered by a message, because
 * another tab may still be editing it.
 */
export function keepHalfTyped({ grid, typing }: GridParts): () => void {
  const { session, editing } = grid;
  if (!session.mayWrite) return () => undefined;
  const prefix = `sheaf.half-typed/${session.outbox.name}/`;
  const keyOf = ({ tab, row, col }: Pick<Edit, 'tab' | 'row' | 'col'>): string => `${prefix}${tab}/${row}/${col}`;
  /** True if the text is not empty and differs from the cell's content. */
  const isNew = ({ tab, row, col, text }: Edit): boolean =>
    text !== '' && !(tab === grid.model.sheetId && text === grid.model.cell(row, col).input);
  const resume = ({ tab, row, col, text }: HalfTyped): void => {
    if (typing.isOn) typing.commit();
    session.goTo(tab, cellRange(row, col));
    typing.beginTyped(text);
  };
  const page = pageName();
  for (const { key, value } of keptUnder(prefix)) {
    if (!value || Date.now() - value.at > maxAgeMs || !session.tabs.get().some(({ id }) => id === value.tab))
      write(key, null);
    else if (value.page === page && !typing.isOn) resume(value);
    else {
      const text = textIn(language.get());
      const action = { label: text('continueTyping'), run: () => resume(value) };
      say(text('halfTyped', { cell: cellName(value.row, value.col) }), action);
    }
  }
  let kept = editing.state.get();
  return editing.state.subscribe(() => {
    const edit = editing.state.get();
    if (kept && (!edit || keyOf(edit) !== keyOf(kept))) write(keyOf(kept), null);
    if (edit && edit.text !== kept?.text)
      write(keyOf(edit), isNew(edit) ? JSON.stringify({ ...placeOf(edit), page, at: Date.now() }) : null);
    kept = edit;
  });
}

function placeOf({ tab, row, col, text }: Edit): Pick<HalfTyped, 'tab' | 'row' | 'col' | 'text'> {
  return { tab, row, col, text };
}

function keptUnder(prefix: string): { key: string; value: HalfTyped | undefined }[] {
  return keys()
    .filter((key) => key.startsWith(prefix))
    .map((key) => ({ key, value: parsed(read(key) ?? '') }));
}

function parsed(text: string): HalfTyped | undefined {
  try {
    return JSON.parse(text) as HalfTyped;
  } catch (error) {
    console.info('half-typed cell', error);
    return undefined;
  }
}

/** Returns an id of this browser tab that survives a reload. */
function pageName(): string {
  const key = 'sheaf.page';
  try {
    const name = sessionStorage.getItem(key) ?? randomName();
    sessionStorage.setItem(key, name);
    return name;
  } catch (error) {
    console.info('browser storage', error);
    return randomName();
  }
}
