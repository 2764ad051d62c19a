import { describe, expect, it } from 'vitest';
import { isFailure, rebuild } from '../../src/history/rebuild.ts';
import { encodeSnapshot } from '../../src/history/snapshot.ts';
import { addSheet, setRangeBlock } from '../../src/mutations/index.ts';
import { calc } from '../support.ts';

/** Computed as of 15 March 2023. */
const days: readonly (readonly [text: string, serial: number])[] = [
  ['Feb 22', 44979],
  ['Oct-21', 45220],
  ['March 1', 44986],
  ['January1', 44927],
  ['January0', 36526],
  ['2020-FEB-01', 43862],
  ['Mar-23', 45008],
  ['22 Feb', 44979],
  ['22-feb', 44979],
  ['22/Feb', 44979],
  ['22Feb', 44979],
  ['SEPT2', 45171],
  ['december31', 45291],
  ['Feb 29', 47150],
  ['Feb 30', 10990],
  ['30-Feb', 10990],
  ['Apr-31', 11414],
  ['Jan 32', 11689],
  ['Jan-99', 36161],
  ['Feb-00', 36557],
  ['0 May', 36647],
  ['Jan 2020', 43831],
  ['January, 2020', 43831],
  ['Jan-2020', 43831],
  ['Jan/2020', 43831],
  ['Jan2020', 43831],
  ['2020 Jan', 43831],
  ['2020-Jan', 43831],
  ['January 5, 2020', 43835],
  ['January 5,2020', 43835],
  ['Jan 5 20', 43835],
  ['jan-5-29', 47123],
  ['JAN/5/30', 10963],
  ['5-Jan-5', 38357],
  ['5 January 2020', 43835],
  ['5 Jan, 2020', 43835],
  ['5Jan2020', 43835],
  ['2020 Feb 29', 43890],
  ['2020/feb/1', 43862],
  ['2/30', 10990],
  ['3/2020', 43891],
  ['2/29', 47150],
];

const moments: readonly (readonly [text: string, serial: number])[] = [
  ['22 Feb 14:30', 44979.604166666664],
  ['Feb 22 6 PM', 44979.75],
  ['Oct-21 12:00', 45220.5],
  ['2020-FEB-01 6:00 AM', 43862.25],
  ['January 5, 2020 18:00:00', 43835.75],
];

const noDates = [
  'Feb',
  'Feb 29, 2023',
  'Feb 0, 2023',
  'Jan 100',
  'Jan 1899',
  'Janu 5',
  'Foo 5',
  '5 Foo 2020',
  'Jan 5 6 7',
  '2020 Jan 2020',
  '32 Jan 2020',
  '13/2020',
];

describe('dates with a month name, as Excel (en-US) reads them in a text [finding T15]', () => {
  it.each(days)('%s is the day %d wherever a number is wanted', (text, serial) => {
    expect(calc(`=DATEVALUE("${text}")`)).toBe(serial);
    expect(calc(`=VALUE("${text}")`)).toBe(serial);
    expect(calc(`="${text}"+0`)).toBe(serial);
    expect(calc(`=EDATE("${text}",0)`)).toBe(serial);
    expect(calc(`=-A1`, { A1: `'${text}` })).toBe(-serial);
  });

  it.each(moments)('%s is a day with its time', (text, moment) => {
    expect(calc(`="${text}"+0`)).toBeCloseTo(moment, 9);
    expect(calc(`=DATEVALUE("${text}")`)).toBe(Math.floor(moment));
  });

  it.each(noDates)('%s is no date', (text) => {
    expect(calc(`=DATEVALUE("${text}")`)).toBe('#VALUE!');
    expect(calc(`="${text}"+0`)).toBe('#VALUE!');
  });

  it('the number of a month from its name, by either idiom', () => {
    for (const [text, month] of [
      ['January', 1],
      ['feb', 2],
      ['Sept', 9],
      ['DECEMBER', 12],
    ] as const) {
      expect(calc('=MONTH(A1&1)', { A1: text })).toBe(month);
      expect(calc('=MONTH(1&A1)', { A1: text })).toBe(month);
      expect(calc('=MONTH(A1&0)', { A1: text })).toBe(month);
      expect(calc('=MONTH(DATEVALUE(A1&" 1"))', { A1: text })).toBe(month);
    }
  });

  it('a formula takes the year of the revision that computes it, on replay too', () => {
    const formula = (row: number): ReturnType<typeof setRangeBlock.of> =>
      setRangeBlock.of({ sheet: 'S', row, col: 0, rows: [[{ formula: '="Feb 22"+0' }]] });
    const revisions = [
      { version: 1, mutations: [addSheet.of({ sheet: 'S', name: 'S' }), formula(0)], now: 45_000, seed: 1 },
      { version: 2, mutations: [formula(1)], now: 46_344, seed: 1 },
    ];
    const whole = rebuild({ revisions });
    const first = rebuild({ revisions: revisions.slice(0, 1) });
    if (isFailure(whole) || isFailure(first)) throw new Error('not rebuilt');
    const rest = rebuild({
      snapshot: { version: 1, bytes: encodeSnapshot(first.document) },
      revisions: revisions.slice(1),
    });
    if (isFailure(rest)) throw new Error(rest.message);
    for (const { document } of [whole, rest]) {
      const sheet = document.subSheets[0]?.sheet;
      expect([sheet?.read(0, 0), sheet?.read(1, 0)]).toEqual([44_979, 46_075]);
    }
    expect(encodeSnapshot(rest.document)).toEqual(encodeSnapshot(whole.document));
  });
});
