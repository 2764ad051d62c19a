import { integerEnum, list } from '../../../kernel/field-schemas.ts';
import type { Region } from '@sheaf/engine/internal/document';
import type { SetBorder } from '@sheaf/engine/internal/mutations';

/** Border positions. Their order follows the numbers in the API specification, starting at 0. */
const sides = ['top', 'bottom', 'left', 'right', 'innerVertical', 'innerHorizontal'] as const;
export const borderStyles = ['none', 'thin', 'medium', 'dashed', 'dotted', 'thick', 'double', 'hair'] as const;

export const borderPositionsField = (limits: { min?: number } = {}) =>
  list(
    '0 top, 1 bottom, 2 left, 3 right, 4 inner vertical, 5 inner horizontal.',
    integerEnum('Borders to draw.', [0, 1, 2, 3, 4, 5]),
    { ...limits, max: 6 },
  );

export const borderStyleField = integerEnum(
  '0 none, 1 thin (default), 2 medium, 3 dashed, 4 dotted, 5 thick, 6 double, 7 hair.',
  [0, 1, 2, 3, 4, 5, 6, 7],
);

/**
 * Returns the data of a mutation that sets border lines of a region, or removes them if `line` is null. `at` lists the
 * lines by their index in `sides`.
 */
export function buildBorders(sheet: string, region: Region, at: readonly number[], line: string | null): SetBorder {
  const lines = Object.fromEntries(at.map((position) => [sides[position]!, line]));
  return { sheet, region, ...lines };
}
