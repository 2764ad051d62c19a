import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Run } from '@sheaf/engine';
import { RunBuilder, overlayRuns } from '../../src/xlsx/run-builder.ts';
import { readTestWorkbook } from '@sheaf/tools/testing/xlsx/document-fixtures.ts';
import { workbookParts, zipped } from '@sheaf/tools/testing/workbook-parts.ts';

const spread = (runs: readonly Run[]): Map<number, number> =>
  new Map(
    runs.flatMap(([start, end, value]) =>
      Array.from({ length: end - start + 1 }, (_, i): [number, number] => [start + i, value]),
    ),
  );

test('rows in any order become runs in order, and what was said last holds', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 3 })), { maxLength: 40 }),
      (said) => {
        const found = new RunBuilder();
        for (const [row, value] of said) found.add(row, value);
        const runs = found.list();
        expect(new Map([...spread(runs)].sort((a, b) => a[0] - b[0]))).toEqual(
          new Map([...new Map(said)].sort((a, b) => a[0] - b[0])),
        );
        runs.forEach((run, i) => expect(run[0]).toBeGreaterThan(runs[i - 1]?.[1] ?? -1));
      },
    ),
  );
});

test('runs on top of runs', () => {
  const runs = fc
    .array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 3 })), {
      maxLength: 8,
    })
    .map((steps) => {
      let at = 0;
      return steps.map(([gap, length, value]): Run => {
        const start = at + gap;
        at = start + length;
        return [start, at - 1, value];
      });
    });
  fc.assert(
    fc.property(runs, runs, (under, over) => {
      const made = overlayRuns(under, over);
      expect(spread(made)).toEqual(
        new Map([...new Map([...spread(under), ...spread(over)])].sort((a, b) => a[0] - b[0])),
      );
      made.forEach((run, i) => expect(run[0]).toBeGreaterThan(made[i - 1]?.[1] ?? -1));
    }),
    { numRuns: 2000 },
  );
});

const styles =
  '<styleSheet><fonts><font/></fonts><fills><fill><patternFill patternType="none"/></fill><fill>' +
  '<patternFill patternType="solid"><fgColor rgb="FFFF0000"/></patternFill></fill><fill>' +
  '<patternFill patternType="solid"><fgColor rgb="FF00FF00"/></patternFill></fill></fills><borders>' +
  '<border/></borders><cellXfs><xf/><xf fillId="1"/><xf fillId="2"/></cellXfs></styleSheet>';

function styled(sheet: string): ReturnType<typeof readTestWorkbook> {
  const parts = workbookParts({ Data: sheet }, [['rId9', 'styles', 'styles.xml']]);
  return readTestWorkbook(zipped({ ...parts, 'xl/styles.xml': styles }));
}

test('a cell looks as it says, else as its row, else as its column', () => {
  const { document } = styled(
    '<worksheet><cols><col min="2" max="3" style="1"/></cols><sheetData>' +
      '<row r="2" s="2" customFormat="1"><c r="B2" s="1"/><c r="C2"/></row><row r="3"><c r="B3" s="2"/>' +
      '</row></sheetData></worksheet>',
  );
  const sub = document.subSheets[0]!;
  const color = (row: number, col: number): string | undefined => document.styles.get(sub.styles.at(row, col)).bgColor;
  expect([0, 1, 2, 3].map((row) => [0, 1, 2, 3].map((col) => color(row, col)?.slice(2, 6) ?? ''))).toEqual([
    ['', 'FF00', 'FF00', ''],
    ['00FF', 'FF00', '', '00FF'],
    ['', '00FF', 'FF00', ''],
    ['', 'FF00', 'FF00', ''],
  ]);
});

const everyRow = (count: number, look: (row: number) => number): string =>
  Array.from(
    { length: count },
    (_, i) => `<row r="${i + 1}" s="${look(i)}" customFormat="1"${i === 0 ? '><c r="XFD1"><v>1</v></c></row>' : '/>'}`,
  ).join('');

test(
  '[finding R10] a million rows with a look and one cell in the last column are imported',
  { timeout: 120_000 },
  () => {
    const { document, warnings } = styled(everyRow(1_048_576, () => 1));
    const sub = document.subSheets[0]!;
    expect(warnings).toEqual([]);
    expect(document.value(sub, 0, 16_383)).toBe(1);
    expect(document.styles.get(sub.styles.at(1_048_575, 16_000)).bgColor).toBe('FFFF0000');
    expect(sub.styles.column(9)?.list()).toHaveLength(1);
  },
);

test(
  '[finding R10] looks that alternate reach as many columns as there is room for, and the import says so',
  { timeout: 120_000 },
  () => {
    const { document, warnings } = styled(everyRow(200_000, (row) => 1 + (row % 2)));
    const sub = document.subSheets[0]!;
    expect(warnings).toEqual([
      "the rows of 'Data' have too many looks of their own for its 16384 columns; past column B only cells and columns keep theirs",
    ]);
    expect(document.styles.get(sub.styles.at(199_999, 1)).bgColor).toBe('FF00FF00');
    expect(sub.styles.at(199_999, 2)).toBe(0);
  },
);

test(
  '[finding R10] where there is no room even for one column, rows have no looks, and the import says so',
  { timeout: 120_000 },
  () => {
    const { document, warnings } = styled(everyRow(1_048_576, (row) => 1 + (row % 2)));
    const sub = document.subSheets[0]!;
    expect(warnings).toEqual([
      "the rows of 'Data' have too many looks of their own for its 16384 columns; only cells and columns keep theirs",
    ]);
    expect(document.value(sub, 0, 16_383)).toBe(1);
    expect(sub.styles.at(1_000_001, 0)).toBe(0);
    expect(sub.rowSources.isEmpty).toBe(true);
  },
);

test(
  '[finding R10] settings of rows that alternate too often are left out, and the import says so',
  { timeout: 120_000 },
  () => {
    const rows = Array.from({ length: 600_000 }, (_, i) => `<row r="${i + 1}"${i % 2 === 0 ? ' thickTop="1"' : ''}/>`);
    const { document, warnings } = styled(rows.join(''));
    expect(warnings).toEqual([]);
    expect(document.subSheets[0]!.rowSources.list()).toHaveLength(300_000);
    const more = Array.from(
      { length: 600_000 },
      (_, i) => `<row r="${i + 1}" ${i % 2 === 0 ? 'thickTop' : 'ph'}="1"/>`,
    );
    const second = styled(more.join(''));
    expect(second.warnings).toEqual([
      "the rows of 'Data' change their settings more than 500000 times; their heights are kept, other settings of rows are not",
    ]);
    expect(second.document.subSheets[0]!.rowSources.isEmpty).toBe(true);
  },
);

test('rows that come from the last to the first are imported', { timeout: 120_000 }, () => {
  const rows = Array.from(
    { length: 200_000 },
    (_, i) =>
      `<row r="${200_000 - i}" s="${1 + (i % 2)}" customFormat="1" ht="${10 + (i % 3)}" customHeight="1"${i % 5 === 0 ? ' hidden="1"' : ''}/>`,
  ).join('');
  const { document } = styled(rows);
  const sub = document.subSheets[0]!;
  expect([
    sub.rowSizes.get(199_999),
    sub.rowSizes.get(199_998),
    sub.hiddenRows.get(199_999),
    sub.hiddenRows.get(199_998),
  ]).toEqual([10, 11, 1, 0]);
  expect(document.styles.get(sub.styles.at(199_998, 0)).bgColor).toBe('FF00FF00');
});
