import {
  computedFormats,
  type ConditionalFormat,
  edit,
  type Region,
  SheetDocument,
} from '@sheaf/engine/internal/document';
import { addSheet, putMark, setRangeBlock, setValues } from '@sheaf/engine/internal/mutations';
import { median } from '../engine/clock.ts';
import type { Row } from '../measure/report.ts';

const rows = 100_000;
const edits = 200;
const screen = { top: 0, left: 0, bottom: 49, right: 1 };

function documentWith(rules: readonly ConditionalFormat[]): SheetDocument {
  const document = new SheetDocument();
  const cells = Array.from({ length: rows }, (_, row) => [(row * 7919) % 10_007, (row * 104_729) % 1000]);
  edit(document, [
    addSheet.of({ sheet: 's', name: 'One', rows, cols: 26 }),
    setRangeBlock.of({ sheet: 's', row: 0, col: 0, rows: cells }),
    ...rules.map((mark) => putMark.of({ sheet: 's', list: 'formats', mark })),
  ]);
  return document;
}

const region: Region = [0, 0, rows - 1, 1];

function tenRules(): ConditionalFormat[] {
  const style = { bold: true } as const;
  const scale = [
    { type: 'min', color: 'FFF8696B' },
    { type: 'percentile', color: 'FFFFEB84' },
    { type: 'max', color: 'FF63BE7B' },
  ] as const;
  const kinds: Omit<ConditionalFormat, 'id' | 'regions'>[] = [
    { kind: 'cell', test: 'greater', formulas: ['9000'], style },
    { kind: 'cell', test: 'between', formulas: ['10', '20'], style },
    { kind: 'formula', formulas: ['A1>$B$1'], style },
    { kind: 'top', rank: 10, style },
    { kind: 'top', rank: 10, percent: true, below: true, style },
    { kind: 'average', style },
    { kind: 'duplicate', style },
    { kind: 'scale', steps: scale, formulas: ['', '50', ''] },
    { kind: 'bar', steps: [{ type: 'min' }, { type: 'max' }], formulas: ['', ''], color: 'FF638EC6' },
    { kind: 'text', test: 'contains', formulas: ['"99"'], style },
  ];
  return kinds.map((one, i) => ({ id: `f${i}`, regions: [region], ...one }));
}

/** Returns the processor time of one edit in milliseconds. */
function editing(document: SheetDocument): number {
  const start = process.cpuUsage();
  for (let i = 0; i < edits; i++)
    edit(document, [setValues.of({ sheet: 's', values: [[(i * 503) % rows, 0, [i]]] })], { now: 45_000, seed: i });
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000 / edits;
}

function taken(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Measures conditional formats: the cost of an edit with ten rules over 100,000 rows, and of rendering them. */
export async function measureConditionalFormats(): Promise<Row[]> {
  const plain = documentWith([]);
  const ruled = documentWith(tenRules());
  editing(plain);
  editing(ruled);
  const without = editing(plain);
  const ratio = editing(ruled) / without;
  const shown = (document: SheetDocument, rect = screen): number =>
    taken(() => computedFormats(document, document.subSheets[0]!, rect, { now: 45_000 }));
  const first = shown(ruled);
  const again = shown(ruled);
  const scale = documentWith(tenRules().filter(({ kind }) => kind === 'scale'));
  const whole = { top: 0, left: 0, bottom: rows - 1, right: 0 };
  // Each edit changes the maximum of the color scale, and so every color.
  const repaints = Array.from({ length: 9 }, (_, i) => {
    edit(scale, [setValues.of({ sheet: 's', values: [[77, 0, [1_000_000 + i]]] })], { now: 45_000, seed: i });
    return shown(scale, whole);
  });
  const repaint = median(repaints);
  return [
    {
      what: 'one edit in 100,000 rows with ten rules, over one without',
      value: `${ratio.toFixed(2)} (${without.toFixed(3)} ms)`,
      goal: '<= 1.5',
      met: ratio <= 1.5,
    },
    { what: 'a screen of 100 cells after an edit, ten rules', value: `${first.toFixed(1)} ms` },
    { what: 'the same screen again', value: `${again.toFixed(1)} ms` },
    {
      what: 'a color scale over 100,000 cells after an edit that changes every color, median of 9',
      value: `${repaint.toFixed(1)} ms (first ${(repaints[0] ?? 0).toFixed(1)})`,
      goal: '< 50 ms',
      met: repaint < 50,
    },
  ];
}
