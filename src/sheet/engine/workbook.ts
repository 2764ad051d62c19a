import { parseCell } from './address.ts';
import { cellResult } from './formula/compile.ts';
import { Evaluation } from './formula/evaluation.ts';
import type { Host } from './formula/host.ts';
import type { SheetNames } from './formula/reference.ts';
import { Templates } from './formula/template.ts';
import type { Template } from './formula/template.ts';
import { SeededRandom } from './random.ts';
import { Sheet } from './sheet.ts';
import { SPILLED } from './store/chunk.ts';
import { Strings } from './store/strings.ts';
import { Matrix, RangeRef } from './values.ts';
import type { Scalar } from './values.ts';

export class Workbook implements Host, SheetNames {
  readonly strings = new Strings();
  readonly templates = new Templates(this);
  readonly sheets: Sheet[] = [];
  private readonly byId = new Map<number, Sheet>();
  private readonly names = new Map<string, Template>();
  private nextId = 1;

  addSheet(name: string, at = this.sheets.length, id = this.nextId): Sheet {
    const sheet = new Sheet(id, name, this.strings);
    this.nextId = Math.max(this.nextId, id + 1);
    this.byId.set(id, sheet);
    this.sheets.splice(at, 0, sheet);
    return sheet;
  }

  sheetName(id: number): string | undefined {
    return this.byId.get(id)?.name;
  }

  sheetId(name: string): number | undefined {
    return this.sheetByName(name)?.id;
  }

  sheetById(id: number): Sheet | undefined {
    return this.byId.get(id);
  }

  sheetByName(name: string): Sheet | undefined {
    const upper = name.toUpperCase();
    return this.sheets.find((sheet) => sheet.name.toUpperCase() === upper);
  }

  sheetList(): readonly Sheet[] {
    return this.sheets;
  }

  nameDefinition(name: string): Template | undefined {
    return this.names.get(name.toUpperCase());
  }

  defineName(name: string, text: string): void {
    this.names.set(name.toUpperCase(), this.templates.of(text, 0, 0));
  }

  templateOf(text: string, row: number, col: number): Template {
    return this.templates.of(text, row, col);
  }

  formulaText(sheet: number, row: number, col: number): string | undefined {
    const id = this.byId.get(sheet)?.cells.formulaId(row, col) ?? 0;
    return this.templates.get(id)?.text(row, col, this);
  }

  isSubtotalCell(sheet: number, row: number, col: number): boolean {
    const id = this.byId.get(sheet)?.cells.formulaId(row, col) ?? 0;
    return this.templates.get(id)?.subtotal ?? false;
  }

  formatAt(): string {
    return 'General';
  }

  columnWidth(): number {
    return 8.43;
  }

  isRowHidden(): boolean {
    return false;
  }

  spillOf(sheet: number, row: number, col: number): RangeRef | undefined {
    const found = this.byId.get(sheet);
    return found && this.spills.get(`${sheet}:${row}:${col}`);
  }

  private readonly spills = new Map<string, RangeRef>();

  setValue(sheet: Sheet, row: number, col: number, value: Scalar): void {
    sheet.cells.setFormulaId(row, col, 0);
    sheet.cells.write(row, col, value);
  }

  setFormula(sheet: Sheet, row: number, col: number, text: string, lift = true): void {
    const template = this.templates.of(text, row, col, lift);
    sheet.cells.setFormulaId(row, col, template.id);
  }

  recalc(now = 0, seed = 0): void {
    const first = this.sheets[0];
    if (!first) return;
    const random = new SeededRandom(seed);
    const ev = new Evaluation(this, first, { spend: () => undefined }, now, random.next);
    for (let pass = 0; pass < 50; pass++) {
      let changed = false;
      for (const sheet of this.sheets) {
        const { cells } = sheet;
        for (const band of cells.bands) {
          band.chunks.forEach((chunk, col) => {
            chunk?.formulas?.forEach((id, index) => {
              const template = this.templates.get(id);
              if (!template) return;
              ev.begin();
              ev.sheet = sheet;
              ev.row = band.start + index;
              ev.col = col;
              random.at(sheet.id, ev.row, col);
              const result = cellResult(ev, template.run(ev), template.lift);
              if (!(result instanceof Matrix)) {
                if (cells.put(chunk, index, result)) changed = true;
                return;
              }
              this.spills.set(`${sheet.id}:${ev.row}:${col}`, new RangeRef(sheet, ev.row, col, ev.row + result.rows - 1, col + result.cols - 1));
              for (let r = 0; r < result.rows; r++) {
                for (let c = 0; c < result.cols; c++) {
                  const place = cells.chunkFor(ev.row + r, col + c);
                  if (cells.put(place.chunk, place.index, result.at(r, c) ?? 0)) changed = true;
                  if (r + c > 0) place.chunk.needFormulas()[place.index] = SPILLED;
                }
              }
            });
            cells.touch(col);
          });
        }
      }
      if (!changed) return;
    }
  }

  /** Computes one formula with the other cells as they are; nothing is stored. */
  preview(sheet: Sheet, row: number, col: number, now = 0, seed = 0): Scalar {
    const template = this.templates.get(sheet.cells.formulaId(row, col));
    if (!template) return sheet.read(row, col);
    const random = new SeededRandom(seed);
    random.at(sheet.id, row, col);
    const ev = new Evaluation(this, sheet, { spend: () => undefined }, now, random.next);
    ev.row = row;
    ev.col = col;
    const result = cellResult(ev, template.run(ev), template.lift);
    return result instanceof Matrix ? (result.at(0, 0) ?? 0) : result;
  }

  at(sheet: Sheet, address: string): { row: number; col: number } {
    const cell = parseCell(address);
    if (!cell) throw new RangeError(`address: '${address}' is not a cell of ${sheet.name}`);
    return cell;
  }
}
