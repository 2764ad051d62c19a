export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (value instanceof Date) return dateText(value);
  if (typeof value === 'object' && 'text' in value && typeof value.text === 'string') return value.text;
  return '';
}

function dateText(date: Date): string {
  if (Number.isNaN(date.getTime())) return '';
  const iso = date.toISOString();
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso.slice(0, 19).replace('T', ' ');
}

/**
 * Joins the cells of a row with tabs and omits trailing empty cells. Tabs and line breaks inside a cell become spaces,
 * because a tab ends a cell and a line break ends a row.
 */
export function rowText(cells: readonly string[]): string {
  let last = cells.length;
  while (last > 0 && cells[last - 1]!.trim() === '') last--;
  return cells
    .slice(0, last)
    .map((cell) => (/[\t\r\n]/.test(cell) ? cell.replace(/[\t\r\n]+/g, ' ') : cell))
    .join('\t');
}
