const separatorRow = /^\|?[\s|:-]+\|?$/;

/**
 * Finds a table in a document's text by its number, starting at 1. A table is a Markdown table, or at least two
 * consecutive lines of cells separated by tabs. `count` is the number of tables up to the one found, or of all tables
 * in the text if none has this number.
 */
export function findTextTable(text: string, number: number): { table?: string[][]; count: number } {
  let count = 0;
  let rows: string[][] = [];
  for (let at = 0; at <= text.length;) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end < 0 ? undefined : end);
    at = end < 0 ? text.length + 1 : end + 1;
    const cells = cellsOf(line);
    if (cells) {
      if (cells.length > 0) rows.push(cells);
      continue;
    }
    if (rows.length > 1 && ++count === number) return { table: rows, count };
    rows = [];
  }
  if (rows.length > 1 && ++count === number) return { table: rows, count };
  return { count };
}

/**
 * Returns the cells of a line of a table. Returns an empty list for the separator line below the headings of a Markdown
 * table, and undefined for a line that belongs to no table.
 */
function cellsOf(line: string): string[] | undefined {
  if (line.includes('\t')) return line.split('\t').map((cell) => cell.trim());
  const trimmed = line.trim();
  if (!trimmed.startsWith('|') || !trimmed.endsWith('|') || trimmed.length < 3) return undefined;
  if (separatorRow.test(trimmed)) return [];
  return trimmed
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}
