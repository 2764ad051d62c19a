import type { SheetDocument, SubSheet } from '@sheaf/engine/internal/document';
import { CellError, cellName } from '@sheaf/engine';

/** The list of the file's words to which `source` refers, by the property of a sub-sheet that has it. */
type SourceList = 'texts' | 'words' | 'looks';
const sourceLists: Readonly<Record<string, SourceList>> = { filters: 'texts', tables: 'texts', rich: 'words' };

/**
 * Returns what a reference to the file's words says. Where the words stand in a document's lists is its own affair.
 */
function sourceOf({ kept }: SheetDocument, key: string, value: unknown, list: SourceList): unknown {
  const word = (number: number): string => kept?.words?.[number - 1] ?? '';
  if ((key === 'rowSources' || key === 'colSources') && Array.isArray(value))
    return value.map(([first, last, number]: [number, number, number]) => [first, last, wordOf(kept, word(number))]);
  if (key === 'ids') return undefined;
  if (typeof value !== 'number') return value;
  if (key === 'text' || key === 'kept' || key === 'words') return kept?.texts[value] ?? value;
  if (key !== 'source') return value;
  return list === 'texts' ? kept?.texts[value] : list === 'words' ? word(value) : lookOf(kept, value);
}

/** Replaces the number of a cell format at the start of the words about a row or column by the format. */
function wordOf(kept: SheetDocument['kept'], word: string): unknown {
  const [, number = '', rest = ''] = /^(\d*)(.*)$/s.exec(word) ?? [];
  return [number === '' ? undefined : lookOf(kept, Number(number)), rest];
}

function lookOf(kept: SheetDocument['kept'], number: number): unknown {
  const look = kept?.looks?.[number - 1];
  const word = (index: number): string => kept?.words?.[index - 1] ?? '';
  return look && { ...look, style: undefined, font: word(look.font), fill: word(look.fill), border: word(look.border) };
}

/** Everything a document has, but for the ids, which are new each time. */
export function compareDocuments(one: SheetDocument, other: SheetDocument): string[] {
  const differences: string[] = [];
  const differ = (what: string): void => {
    if (differences.length < 20) differences.push(what);
  };
  if (one.subSheets.map((sub) => sub.name).join('\n') !== other.subSheets.map((sub) => sub.name).join('\n'))
    differ('sub-sheets');
  const names = (document: SheetDocument): string =>
    JSON.stringify(
      document.names().map(({ name, sheet, formula }) => [name, sheet && document.find(sheet)?.name, formula]),
    );
  if (names(one) !== names(other)) differ('names');
  const ids = (document: SheetDocument): [RegExp, string][] =>
    document.subSheets.map((sub) => [new RegExp(`"#?${sub.id}(?=["!])`, 'g'), `"${sub.name}`]);
  const state = (document: SheetDocument, value: unknown, list: SourceList = 'looks'): string => {
    const told = JSON.stringify(value, (key, one: unknown) => sourceOf(document, key, one, list));
    // Where a namespace is declared is a matter of spelling, and the numbers of parts are those of the file.
    let text =
      told?.replaceAll(/"(?:id|blob|path)":"[^"]*"|kept-|(?<=own number )\d+| xmlns(?::\w+)?=\\"[^"\\]*\\"/g, '') ?? '';
    for (const [pattern, name] of ids(document)) text = text.replaceAll(pattern, name);
    return text;
  };
  // What a sub-sheet carries is in the order of its parts; everything else has an order of its own, as rules have theirs.
  const listed = (document: SheetDocument, key: string, value: unknown): string =>
    Array.isArray(value) && key === 'carried'
      ? value
          .map((each) => state(document, each))
          .sort()
          .join('\n')
      : state(document, { [key]: value }, sourceLists[key]);
  if (state(one, one.pivots) !== state(other, other.pivots)) differ('pivot tables');
  for (const sub of one.subSheets) {
    const again = other.byName(sub.name);
    if (!again) continue;
    const left = sub.save();
    const right = again.save();
    for (const key of Object.keys(left) as (keyof typeof left)[])
      if (listed(one, key, left[key]) !== listed(other, key, right[key])) differ(`${sub.name}: ${key}`);
    const rows = Math.max(sub.sheet.lastRow, again.sheet.lastRow);
    const cols = Math.max(sub.sheet.lastCol, again.sheet.lastCol);
    for (let row = 0; row <= rows; row++)
      for (let col = 0; col <= cols; col++) {
        const a = one.value(sub, row, col);
        const b = other.value(again, row, col);
        const same = a instanceof CellError ? b instanceof CellError && a.text === b.text : Object.is(a, b);
        const where = place(sub, row, col);
        if (!same) differ(`${where}: value ${shown(a)} became ${shown(b)}`);
        if (one.formula(sub, row, col) !== other.formula(again, row, col)) differ(`${where}: formula`);
        if (state(one, one.style(sub, row, col)) !== state(other, other.style(again, row, col)))
          differ(`${where}: style`);
      }
  }
  return differences;
}

export function place(sub: SubSheet, row: number, col: number): string {
  return `${sub.name}!${cellName(row, col)}`;
}

export function shown(value: unknown): string {
  return value instanceof CellError ? value.text : JSON.stringify(value);
}
