import { parseCell, parseRect, type Rect } from '../../src/base/address.ts';
import { SheetDocument } from '../../src/document/document.ts';
import { edit, type EditResult } from '../../src/history/apply-edit.ts';
import { readInput } from '../../src/workbook/parse-input.ts';
import { addSheet, setRangeBlock, type Mutation } from '../../src/mutations/index.ts';
import type { BlockCell } from '../../src/document/objects/cell-contents.ts';
import { encodeSnapshot } from '../../src/history/snapshot.ts';
import { regionOf, type Region } from '../../src/document/objects/rect.ts';
import type { Style } from '../../src/document/objects/styles.ts';
import type { SubSheet } from '../../src/document/objects/sub-sheet.ts';
import { CellError } from '../../src/base/values.ts';

/** The test language for documents: sub-sheets have their name as id, addresses are `A1` or `Other!A1`. */
export class TestDocument {
  document = new SheetDocument();
  now = 45_000.5;
  seed = 1;

  constructor(...names: string[]) {
    this.edit(...(names.length > 0 ? names : ['Sheet1']).map((name) => addSheet.of({ sheet: name, name })));
  }

  edit(...mutations: Mutation[]): EditResult {
    return edit(this.document, mutations, { now: this.now, seed: this.seed });
  }

  place(address: string): { sheet: SubSheet; row: number; col: number } {
    const mark = address.lastIndexOf('!');
    const sheet = mark < 0 ? this.document.subSheets[0] : this.document.byName(address.slice(0, mark));
    const cell = parseCell(address.slice(mark + 1));
    if (!sheet || !cell) throw new Error(`no cell ${address}`);
    return { sheet, ...cell };
  }

  /** Rows of inputs from a corner; text is read as typed. */
  fill(corner: string, rows: readonly (readonly (string | number | boolean | null)[])[]): this {
    const { sheet, row, col } = this.place(corner);
    const block = rows.map((line) =>
      line.map((input): BlockCell => {
        if (typeof input !== 'string') return input;
        const read = readInput(input);
        if ('formula' in read) return read;
        return read.value instanceof CellError ? { error: read.value.text } : read.value;
      }),
    );
    this.edit(setRangeBlock.of({ sheet: sheet.id, row, col, rows: block }));
    return this;
  }

  set(address: string, input: string | number | boolean | null): this {
    return this.fill(address, [[input]]);
  }

  text(address: string): string {
    const { sheet, row, col } = this.place(address);
    return this.document.text(sheet, row, col);
  }

  texts(range: string): string[][] {
    const { top, left, bottom, right } = rect(range);
    const [sheet] = this.document.subSheets;
    if (!sheet) throw new Error('no sub-sheet');
    const lines: string[][] = [];
    for (let row = top; row <= bottom; row++) {
      const line: string[] = [];
      for (let col = left; col <= right; col++) line.push(this.document.text(sheet, row, col));
      lines.push(line);
    }
    return lines;
  }

  formula(address: string): string | undefined {
    const { sheet, row, col } = this.place(address);
    return this.document.formula(sheet, row, col);
  }

  style(address: string): Style {
    const { sheet, row, col } = this.place(address);
    return this.document.style(sheet, row, col);
  }

  sheet(name = 'Sheet1'): SubSheet {
    return this.document.subSheet(name);
  }

  bytes(): string {
    return Buffer.from(encodeSnapshot(this.document)).toString('latin1');
  }
}

export function doc(...sheets: string[]): TestDocument {
  return new TestDocument(...sheets);
}

export function rect(text: string): Rect {
  const found = parseRect(text);
  if (!found) throw new Error(`no range ${text}`);
  return found;
}

export function region(text: string): Region {
  return regionOf(rect(text));
}
