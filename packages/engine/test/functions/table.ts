import { describe, expect, it } from 'vitest';
import type { Scalar } from '../../src/base/values.ts';
import { calc } from '../support.ts';

/** Numbers agree to twelve digits unless a tolerance is given: documented results are printed with fewer. */
export type Row = readonly [formula: string, expected: number | string | boolean | null, tolerance?: number];

export function table(name: string, rows: readonly Row[], cells: Record<string, Scalar> = {}): void {
  describe(name, () => {
    it.each(rows.map((row) => ({ row, name: `${row[0]} gives ${String(row[1])}` })))('$name', ({ row }) => {
      const [formula, expected, tolerance] = row;
      const actual = calc(formula, cells);
      if (typeof expected !== 'number' || typeof actual !== 'number') {
        expect(actual).toBe(expected);
        return;
      }
      const allowed = tolerance ?? 1e-12 * Math.max(1, Math.abs(expected));
      expect(Math.abs(actual - expected), `${actual} instead of ${expected}`).toBeLessThanOrEqual(allowed);
    });
  });
}
