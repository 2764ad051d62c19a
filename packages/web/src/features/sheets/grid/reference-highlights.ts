import { parseRange, type CellRange } from '../cell-geometry.ts';
import { referencesIn } from './edit-state.ts';
import type { Grid } from './grid.ts';

/** Colors of the references in a formula. They are assigned in order and repeat. */
export const referenceColors = {
  light: ['hsl(215 75% 45%)', 'hsl(340 65% 45%)', 'hsl(275 55% 50%)', 'hsl(28 85% 42%)', 'hsl(190 70% 36%)'],
  dark: ['hsl(212 85% 70%)', 'hsl(340 75% 72%)', 'hsl(275 70% 76%)', 'hsl(32 85% 64%)', 'hsl(188 60% 60%)'],
} as const;

/**
 * Returns the ranges of the displayed sub-sheet that are referenced in the formula being edited, with their colors.
 * `tab` is the sub-sheet of the edited cell.
 */
export function referenceHighlights(
  grid: Grid,
  { tab, text }: { tab: string; text: string },
): { range: CellRange; color: string }[] {
  const { model, session, theme } = grid;
  const colors = theme.isDark ? referenceColors.dark : referenceColors.light;
  return referencesIn(text).flatMap((one, index) => {
    const isHere = one.sheet === undefined ? tab === model.sheetId : one.sheet === session.tab.name;
    const range = isHere ? parseRange(one.name, model.rows.count, model.cols.count) : undefined;
    return range ? [{ range, color: colors[index % colors.length]! }] : [];
  });
}
