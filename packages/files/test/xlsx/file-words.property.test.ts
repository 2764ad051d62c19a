import fc from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import {
  addSheet,
  columnName,
  defineName,
  edit,
  merge,
  putImage,
  putMark,
  setLink,
  setRangeBlock,
  setSize,
  setStyle,
  type Mutation,
  type SheetDocument,
} from '@sheaf/engine';
import { writeXlsx } from '../../src/xlsx/write-workbook.ts';
import { compareDocuments } from './conformance/compare-documents.ts';
import { RawBook } from './conformance/book.ts';
import { compareParts, inventoryOf } from './conformance/parts.ts';
import { png, readTestWorkbook } from '@sheaf/tools/testing/xlsx/document-fixtures.ts';
import { described, describedWorkbook, type Described } from '@sheaf/tools/testing/xlsx/described-workbook.ts';
import { workbookFeatures, type WorkbookFeatureName } from '@sheaf/tools/testing/xlsx/workbook-features.ts';

const formatCount = 7;
const runs = {
  numRuns: Number(process.env['SHEAF_FUZZ_ROUNDS'] ?? 200),
  seed: Number(process.env['SHEAF_FUZZ_SEED'] ?? 1_714_620_004),
};
const flag = (name: string): fc.Arbitrary<string> => fc.constantFrom('', ` ${name}="1"`);
const joined = (...parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((all) => all.join(''));
const cellPlace = fc.tuple(fc.nat(5), fc.nat(9)).map(([col, row]) => `${columnName(col)}${row + 1}`);
const range = fc
  .tuple(fc.nat(3), fc.nat(4), fc.integer({ min: 4, max: 9 }), fc.integer({ min: 5, max: 9 }))
  .map(([left, top, right, bottom]) => `${columnName(left)}${top + 1}:${columnName(right)}${bottom + 1}`);

const cellOf = (place: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.nat(formatCount - 1),
      fc.oneof(
        fc.constant(['', '']),
        fc.integer().map((value) => ['', `<v>${value}</v>`]),
        fc.nat(described.texts.length - 1).map((text) => [' t="s"', `<v>${text}</v>`]),
        fc.constant(['', '<f>SUM( $A$1:$A$2 )</f><v>0</v>']),
      ),
    )
    .map(([look, [type, inside]]) => `<c r="${place}" s="${look}"${type}>${inside}</c>`);

const rows = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 6 }).chain((numbers) =>
  fc.tuple(
    ...numbers
      .sort((a, b) => a - b)
      .map((number) =>
        fc.record({
          number: fc.constant(number),
          attributes: joined(
            fc.constantFrom('', ' ht="14.25"', ' ht="31.5" customHeight="1"'),
            flag('thickBot'),
            fc.constantFrom('', ' s="6" customFormat="1"'),
          ),
          cells: fc
            .uniqueArray(fc.nat(6), { maxLength: 4 })
            .chain((cols) =>
              fc.tuple(...cols.sort((a, b) => a - b).map((col) => cellOf(`${columnName(col)}${number}`))),
            )
            .map((cells) => cells.join('')),
        }),
      ),
  ),
);

const words: fc.Arbitrary<Described> = fc.record({
  rows,
  columns: fc
    .tuple(
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 6, max: 16_384 }),
      fc.nat(formatCount - 1),
      flag('bestFit'),
    )
    .map(
      ([first, last, look, fit]) =>
        `<col min="${first}" max="${first}" width="11.5703125"${fit}/><col min="6" max="${last}" width="4.25" style="${look}" customWidth="1"/>`,
    ),
  view: fc
    .tuple(cellPlace, range, fc.integer({ min: 50, max: 200 }), flag('showFormulas'))
    .map(
      ([top, selected, zoom, formulas]) =>
        `<sheetView${formulas} tabSelected="1" topLeftCell="${top}" zoomScale="${zoom}" workbookViewId="0">` +
        `<selection activeCell="${selected.split(':')[0]}" sqref="${selected}"/></sheetView>`,
    ),
  protection: fc.oneof(
    fc.constant(''),
    joined(fc.constant('<sheetProtection sheet="1"'), flag('objects'), flag('selectLockedCells'), fc.constant('/>')),
  ),
  links: fc.constantFrom('', described.links),
  filter: fc.constantFrom('', described.filter),
  workbookView: fc.constantFrom('<workbookView activeTab="1"/>', described.workbookView),
  anchors: fc.constantFrom('', described.anchors, described.anchors.repeat(2)),
  texts: fc.constant(described.texts),
  features: fc.subarray(Object.keys(workbookFeatures) as WorkbookFeatureName[]),
});

function exported(document: SheetDocument, images: ReadonlyMap<string, Uint8Array>): Uint8Array {
  return writeXlsx(document, { images, at: new Date(0) });
}

function partsOf(bytes: Uint8Array): Record<string, string> {
  return Object.fromEntries(Object.entries(unzipSync(bytes)).map(([name, data]) => [name, strFromU8(data)]));
}

function imported(bytes: Uint8Array): { document: SheetDocument; images: Map<string, Uint8Array> } {
  const { document, images } = readTestWorkbook(bytes);
  return { document, images: new Map(images.map((one) => [one.key, one.bytes])) };
}

test(
  'import, export and import again is the identity, and the export says what the file said',
  { timeout: 900_000 },
  () => {
    fc.assert(
      fc.property(words, (given) => {
        const original = describedWorkbook(given);
        const first = imported(original);
        const once = exported(first.document, first.images);
        const second = imported(once);
        expect(compareDocuments(first.document, second.document)).toEqual([]);
        // The first export adds parts that the file lacks, such as a theme; from then on nothing changes.
        const twice = exported(second.document, second.images);
        const third = imported(twice);
        expect(partsOf(exported(third.document, third.images))).toEqual(partsOf(twice));
        const { lost } = compareParts(new RawBook(original), new RawBook(once));
        expect(lost.filter(({ reason }) => reason === undefined)).toEqual([]);
      }),
      runs,
    );
  },
);

/** What of a file an edit of a cell may change: what the file says about the cell and its row. */
function cellChange(row: number, col: number): RegExp {
  return new RegExp(`^[^:]*: Second(?:!${columnName(col)}${row + 1}|\\|${row + 1})\\|`);
}

/** An edit of one cell or row, and what of a file it may change. */
const edits: fc.Arbitrary<readonly [(sheet: string) => Mutation, RegExp]> = fc.oneof(
  fc.tuple(fc.nat(9), fc.nat(5)).map(([row, col]) => {
    const change = cellChange(row, col).source;
    // A value that is written over a link replaces it.
    const link =
      row === 1 && col === 0
        ? '|hyperlink[^:]*: Second(?:$|\\|(?:A2\\|)?(?:A2|part|A tip|shown|https://example.com/page)$)'
        : '';
    return [
      (sheet: string) => setRangeBlock.of({ sheet, row, col, rows: [['edited']] }),
      new RegExp(change + link),
    ] as const;
  }),
  fc.nat(9).map((row) => {
    return [
      (sheet: string) => setSize.of({ sheet, axis: 'row', runs: [[row, row, 77]] }),
      new RegExp(`^[^:]*: Second\\|${row + 1}\\|`),
    ] as const;
  }),
  fc.nat(9).map((col) => {
    return [
      (sheet: string) => setSize.of({ sheet, axis: 'col', runs: [[col, col, 77]] }),
      /^column @[^:]*: Second\|/,
    ] as const;
  }),
  fc.tuple(fc.nat(9), fc.nat(5)).map(([row, col]) => {
    return [
      (sheet: string) => setStyle.of({ sheet, region: [row, col, row, col], set: { italic: true } }),
      cellChange(row, col),
    ] as const;
  }),
  fc.constantFrom(...additions()).map((addition) => [addition, /^(?!)/] as const),
);

/** Additions where the workbook has nothing; they may change nothing that is there. */
function additions(): ((sheet: string) => Mutation)[] {
  const [row, col] = [119, 10];
  const regions = [[row, col, row + 1, col + 1]] as const;
  const mark = (sheet: string, list: 'comments' | 'formats' | 'validations' | 'tables', more: object): Mutation =>
    putMark.of({ sheet, list, mark: { id: 'new', regions, ...more } as never });
  return [
    (sheet) => setRangeBlock.of({ sheet, row, col, rows: [['new', '=1+1']] }),
    (sheet) => merge.of({ sheet, regions }),
    (sheet) => setLink.of({ sheet, links: [[row, col, { id: 'new', url: 'https://example.org/' }]] }),
    (sheet) => mark(sheet, 'formats', { kind: 'blank', style: { bold: true } }),
    (sheet) => mark(sheet, 'validations', { kind: 'list', formulas: ['"a,b"'] }),
    (sheet) => {
      const entries = [{ id: 'new', author: 'Ada', at: 0, text: 'hm' }];
      return mark(sheet, 'comments', { regions: [[row, col, row, col]], note: true, entries });
    },
    (sheet) => {
      const columns = ['A', 'B'].map((name, i) => ({ number: i + 1, name }));
      return mark(sheet, 'tables', { number: 99, name: 'New', columns, next: 3 });
    },
    (sheet) => {
      const anchor = { row, col, offsetX: 0, offsetY: 0, width: 20, height: 20 };
      return putImage.of({ sheet, image: { id: 'new', name: 'New', blob: 'new', mime: 'image/png', anchor } });
    },
    () => addSheet.of({ sheet: 'new', name: 'New' }),
    (sheet) => defineName.of({ name: 'newName', sheet, formula: '=1' }),
  ];
}

test('one edit changes only what it says', { timeout: 900_000 }, () => {
  fc.assert(
    fc.property(words, edits, (given, [mutation, mayChange]) => {
      const { document, images } = imported(describedWorkbook(given));
      images.set('new', png);
      const book = new RawBook(exported(document, images));
      const before = inventoryOf(book);
      edit(document, [mutation(document.byName('Second')!.id)]);
      const after = inventoryOf(new RawBook(exported(document, images)), book);
      const changed = [...before].flatMap(([kind, values]) =>
        kind === 'cell formula'
          ? []
          : [...values].flatMap(([value, count]) =>
              (after.get(kind)?.get(value) ?? 0) < count ? [`${kind}: ${value}`] : [],
            ),
      );
      const unasked = changed.filter((one) => !mayChange.test(one));
      // The used range grows with what is written outside it.
      expect(unasked.filter((one) => !one.startsWith('worksheet dimension'))).toEqual([]);
    }),
    runs,
  );
});
