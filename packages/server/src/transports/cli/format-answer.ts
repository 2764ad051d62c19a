/** Formats an answer for people: lists of objects as tables, single objects as lines, other values as JSON. */
export function formatAnswer(data: Record<string, unknown>, width = process.stdout.columns ?? 100): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(data)) {
    if (Array.isArray(value) && value.length > 0 && value.every(isPlainObject))
      parts.push(`${name}:\n${table(value as Record<string, unknown>[], width)}`);
    else if (isPlainObject(value)) parts.push(`${name}:\n${lines(value as Record<string, unknown>)}`);
    else parts.push(`${name}: ${formatField(name, value)}`);
  }
  return parts.length > 0 ? parts.join('\n') : 'done';
}

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function lines(value: Record<string, unknown>): string {
  return Object.entries(value)
    .map(([name, inner]) => `  ${name}: ${formatField(name, inner)}`)
    .join('\n');
}

function table(rows: Record<string, unknown>[], width: number): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const most = Math.max(12, Math.floor(width / columns.length) - 2);
  const cells = [columns, ...rows.map((row) => columns.map((column) => cut(formatField(column, row[column]), most)))];
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => row[index]!.length)));
  return cells
    .map(
      (row) =>
        `  ${row
          .map((cell, index) => cell.padEnd(widths[index]!))
          .join('  ')
          .trimEnd()}`,
    )
    .join('\n');
}

/**
 * Shortens text to a width. Text without spaces is not shortened, because it may be an id, and a shortened id is
 * useless.
 */
function cut(text: string, width: number): string {
  return text.length > width && text.includes(' ') ? `${text.slice(0, width - 1)}…` : text;
}

const isTime = /(^at|_time)$/;
const earliestMs = 1e11;

function formatField(name: string, value: unknown): string {
  return isTime.test(name) && typeof value === 'number' && value > earliestMs
    ? new Date(value).toISOString()
    : formatScalar(value);
}

function formatScalar(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value.replaceAll('\n', ' ') : JSON.stringify(value);
}
