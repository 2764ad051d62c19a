import { expect, test } from 'vitest';
import { SheetDocument } from '../../src/document/document.ts';
import { edit } from '../../src/history/apply-edit.ts';
import { hiddenRows } from '../../src/document/filter.ts';
import * as m from '../../src/mutations/index.ts';
import type { Mutation } from '../../src/mutations/index.ts';
import { isFailure, rebuild, type Revision } from '../../src/history/rebuild.ts';
import { loadSnapshot, encodeSnapshot } from '../../src/history/snapshot.ts';
import { aggregations } from '../../src/document/objects/sheet-objects.ts';
import type { Region } from '../../src/document/objects/rect.ts';
import { Dice } from './dice.ts';

/** No model here: arrays, volatile formulas, names, pivot tables and objects of every kind must come back by undoing and by replay. */

const programs = Math.ceil(Number(process.env['SHEAF_PROGRAMS'] ?? 300) / 2);
const first = Number(process.env['SHEAF_FIRST_PROGRAM'] ?? 1);
const steps = 16;
const rows = 12;
const cols = 8;
const ids = ['a', 'b', 'c'] as const;
const formulas = [
  '=A1',
  '=SUM(A1:C3)',
  '=SEQUENCE(2,3)',
  '=SORT(A1:A5)',
  '=RAND()',
  '=NOW()',
  '=INDIRECT("B"&2)',
  '=first',
  '=SUM(second)',
  '=Two!B2&"x"',
  '=SUM(Two!A:B)',
  '=UNIQUE(B1:B9)',
  '=TRANSPOSE(A1:C1)',
  '=SUBTOTAL(109,A1:A9)',
  '=OFFSET(A1,1,1)',
  '=ROW()',
  '=FILTER(A1:A5,A1:A5>1,"none")',
  '=COUNTA(3:4)',
  '=D4#',
  '=Three!A1',
  '=A1+',
  '=$A$1*B$2',
  '=CELL("width",C1)',
  '=SUM(Ta[x])',
  '=Ta[@x]',
  '=COUNTA(Tb[#All])',
  '=SUM(Tb[[#Data],[#Totals],[Column1]:[Column2]])',
  '=ROWS(Ta)',
  '=third',
];

class Wild {
  readonly document = new SheetDocument();
  readonly log: Revision[] = [];
  readonly undo: {
    readonly inverse: readonly Mutation[];
    readonly before: string;
    readonly at: { now: number; seed: number };
  }[] = [];
  readonly #dice: Dice;
  #next = 1;

  constructor(seed: number) {
    this.#dice = new Dice(seed + 77_777);
    this.commit([m.addSheet.of({ sheet: 's1', name: 'One' }), m.addSheet.of({ sheet: 's2', name: 'Two' })]);
  }

  /** Applied whole, or refused and nothing changed. */
  commit(mutations: readonly Mutation[]): void {
    const plain = JSON.parse(JSON.stringify(mutations)) as Mutation[];
    const before = bytes(this.document);
    const at = this.document.clock;
    const now = { now: 45_000 + this.log.length, seed: this.log.length };
    try {
      const { inverse } = edit(this.document, plain, now);
      this.undo.push({ inverse, before, at });
      this.log.push({ version: this.log.length + 1, mutations: plain, ...now });
    } catch (error) {
      expect(error).toBeInstanceOf(Error);
      expect(bytes(this.document)).toBe(before);
    }
  }

  #region(): Region {
    const top = this.#dice.below(rows);
    const left = this.#dice.below(cols);
    return [top, left, top + this.#dice.below(4), left + this.#dice.below(3)];
  }

  #axis(): 'row' | 'col' {
    return this.#dice.pick(['row', 'col']);
  }

  step(): void {
    const mutations = Array.from({ length: 1 + this.#dice.below(3) }, () => this.#mutation());
    this.commit(mutations);
  }

  #mutation(): Mutation {
    const { document } = this;
    const dice = this.#dice;
    const sub = dice.pick(document.subSheets);
    const sheet = sub.id;
    const region = this.#region();
    const [row, col, bottom] = region;
    const axis = this.#axis();
    const id = dice.pick(ids);
    const anchor = { row, col, offsetX: 0, offsetY: 0, width: 10, height: 10 };
    const value = (): number | string | boolean | null => dice.pick([1, 2, 3, 'x', 'y', true, null, 0.5]);
    const makers: (() => Mutation)[] = [
      () => m.setValues.of({ sheet, values: [[row, col, [value(), value()]]] }),
      () => m.setValues.of({ sheet, formulas: [[row, col, 1 + dice.below(3), dice.pick(formulas)]] }),
      () => m.setValues.of({ sheet, formulas: [[row, col, 1, dice.pick(formulas)]] }),
      () => m.setValues.of({ sheet, formulas: [[row, col, 1, dice.pick(formulas), 1]] }),
      () =>
        m.setRangeBlock.of({
          sheet,
          row,
          col,
          rows: [
            [value(), value()],
            [value(), { formula: dice.pick(formulas) }],
          ],
        }),
      () => m.clearContents.of({ sheet, region }),
      () =>
        m.setStyle.of({
          sheet,
          region,
          set: { bold: dice.pick([true, null]), numberFormat: dice.pick(['0%', 'yyyy-mm-dd', null]) },
        }),
      () => m.setBorder.of({ sheet, region, top: '1:000000', innerVertical: dice.pick(['2:FF0000', null]) }),
      () => m.merge.of({ sheet, regions: [region] }),
      () =>
        m.unmerge.of({
          sheet,
          regions: sub.merges
            .list()
            .slice(0, 1)
            .map(({ top, left, bottom: b, right }) => [top, left, b, right] as const),
        }),
      () => m.insertDimension.of({ sheet, axis, at: row, count: 1 + dice.below(2) }),
      () => m.deleteDimension.of({ sheet, axis, at: row, count: 1 + dice.below(3) }),
      () => m.moveDimension.of({ sheet, axis, from: row, count: 1 + dice.below(2), to: dice.below(rows) }),
      () => m.moveLines.of({ sheet, axis, from: row, count: 1 + dice.below(2), to: dice.below(rows) }),
      () => m.insertRange.of({ sheet, axis, region }),
      () => m.deleteRange.of({ sheet, axis, region }),
      () =>
        m.permuteRows.of({
          sheet,
          region: [row, 0, row + 2, 5],
          order: dice.pick([
            [2, 1, 0],
            [1, 0, 2],
            [1, 2, 0],
          ]),
        }),
      () => m.setSize.of({ sheet, axis, runs: [[row, bottom, dice.pick([0, 20, 33.5])]] }),
      () => m.setVisible.of({ sheet, axis, runs: [[row, bottom, dice.below(2)]] }),
      () => m.setGroups.of({ sheet, axis, runs: [[row, bottom, dice.below(4)]] }),
      () => m.setFreeze.of({ sheet, rows: dice.below(3), cols: dice.below(3) }),
      () => {
        const columns = [{ col, visible: [dice.pick(['1', 'x', ''])] }];
        return (sub.filters.some((one) => one.id === id) ? m.updateFilter : m.setFilter).of({
          sheet,
          filter: { id, region, columns, hidden: hiddenRows(document, sub, region, columns) },
        });
      },
      () => m.removeFilter.of({ sheet, id }),
      () => m.setLink.of({ sheet, links: [[row, col, { id, url: 'https://example.com' }]] }),
      () => m.setRichText.of({ sheet, texts: [[row, col, dice.pick([null, [{ text: 'r' }]])]] }),
      () => m.putImage.of({ sheet, image: { id, name: id, blob: 'b', mime: 'image/png', anchor } }),
      () => m.putChart.of({ sheet, chart: { id, type: 'CHART_LINE', title: 't', region, anchor, options: {} } }),
      () => m.removeChart.of({ sheet, id }),
      () => m.putProtect.of({ sheet, protection: { id, owner: 'o', region } }),
      () =>
        m.putMark.of({
          sheet,
          list: 'formats',
          mark: {
            id,
            regions: [region, [row, 0, row + 3, 0]],
            kind: 'formula',
            formulas: [dice.pick(['A1>B2', '$A$3=1', 'Two!A1>1', 'first>1', 'SUM(Ta[x])>1'])],
            style: { bold: true },
          },
          ...(dice.chance(30) ? { at: 0 } : {}),
        }),
      () =>
        m.putMark.of({
          sheet,
          list: 'validations',
          mark: { id, regions: [region], kind: 'list', formulas: [dice.pick(['"a,b"', 'One!$A$1:$A$3', 'B2'])] },
        }),
      () =>
        m.putMark.of({
          sheet,
          list: 'comments',
          mark: { id, regions: [[row, col, row, col]], entries: [{ id, author: 'u', at: 1, text: 't' }] },
        }),
      () => {
        const width = region[3] - col + 1;
        return m.putMark.of({
          sheet,
          list: 'tables',
          mark: {
            id,
            number: 1 + ids.indexOf(id),
            name: dice.pick(['Ta', 'Tb', 'Tc']),
            regions: [region],
            ...(dice.chance(30) ? { headings: false as const } : {}),
            ...(dice.chance(30) ? { totals: true as const } : {}),
            columns: Array.from({ length: width }, (_, i) => ({ number: i + 1, name: dice.pick(['', 'x']) })),
            next: width + 1,
          },
        });
      },
      () => m.removeMark.of({ sheet, list: dice.pick(['formats', 'validations', 'comments', 'tables'] as const), id }),
      () => m.setSetup.of({ sheet, setup: dice.pick([{}, { zoom: 80 }, { visibility: 'hidden' as const }]) }),
      () =>
        m.defineName.of({
          name: dice.pick(['first', 'second', 'third']),
          formula: dice.pick([
            '=One!$A$1',
            '=Two!$A$1:$B$3',
            '=SUM(One!A1:B2)',
            '=Three!$A$2',
            '=first+1',
            '=SUM(Ta[x])',
          ]),
        }),
      () => m.removeName.of({ name: dice.pick(['first', 'second']) }),
      () =>
        m.addSheet.of({
          sheet: `n${this.#next++}`,
          name: dice.pick(['Three', 'Four', 'Two']),
          at: dice.below(document.subSheets.length + 1),
        }),
      () => m.renameSheet.of({ sheet, name: dice.pick(['One', 'Two', 'Three', 'Six']) }),
      () => m.moveSheet.of({ sheet, to: dice.below(document.subSheets.length) }),
      () => (document.subSheets.length > 2 ? m.deleteSheet.of({ sheet }) : m.setFreeze.of({ sheet, rows: 1, cols: 1 })),
      () =>
        m.putPivot.of({
          pivot: {
            id,
            name: id,
            sourceSheet: dice.pick(document.subSheets).id,
            source: [0, 0, 6, 3],
            sheet,
            row: dice.below(20),
            col: 9 + dice.below(3),
            rowGroups: [0],
            columnGroups: dice.pick([[], [1]]),
            values: [{ field: 2, aggregation: dice.pick(aggregations) }],
            filters: [],
            calculated: [],
          },
        }),
      () => m.removePivot.of({ id }),
    ];
    return dice.pick(makers)();
  }
}

function bytes(document: SheetDocument): string {
  return Buffer.from(encodeSnapshot(document)).toString('latin1');
}

function run(seed: number): void {
  const program = new Wild(seed);
  let middle = encodeSnapshot(program.document);
  let version = program.log.length;
  for (let i = 0; i < steps; i++) {
    program.step();
    if (i === steps / 2) {
      middle = encodeSnapshot(program.document);
      version = program.log.length;
    }
  }
  const { document, log } = program;
  const served = bytes(document);
  expect(bytes(loadSnapshot(encodeSnapshot(document)))).toBe(served);
  for (const source of [{ revisions: log }, { snapshot: { version, bytes: middle }, revisions: log.slice(version) }]) {
    const rebuilt = rebuild(source);
    if (isFailure(rebuilt)) throw new Error(`${rebuilt.stage} ${rebuilt.mutationType}: ${rebuilt.message}`);
    expect(bytes(rebuilt.document)).toBe(served);
  }
  for (const { inverse, before, at } of program.undo.toReversed()) {
    edit(document, JSON.parse(JSON.stringify(inverse)) as Mutation[], at);
    expect(bytes(document)).toBe(before);
  }
}

test(
  `${programs} wild programs: undone step by step, rebuilt from the log and from a snapshot, byte for byte`,
  { timeout: 3_600_000 },
  () => {
    for (let seed = first; seed < first + programs; seed++) {
      try {
        run(seed);
      } catch (error) {
        throw new Error(`program ${seed}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
      }
    }
  },
);
