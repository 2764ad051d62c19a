/** This file converts tables to and from tab-separated values (TSV), the clipboard text format of spreadsheets. */

/** Formats rows as TSV. Quotes a field that contains a tab or line break, or starts with a quote. */
export function toTsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => row.map(tsvField).join('\t')).join('\r\n');
}

function tsvField(text: string): string {
  return /[\t\r\n]/.test(text) || text.startsWith('"') ? `"${text.replaceAll('"', '""')}"` : text;
}

export function parseTsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  const end = text.length;
  const isBreak = (i: number): boolean => text[i] === '\n' || text[i] === '\r';
  while (at <= end) {
    let field = '';
    const quoted = text[at] === '"' ? readQuoted(text, at) : undefined;
    if (quoted) {
      field = quoted.field;
      at = quoted.next;
    } else {
      const from = at;
      while (at < end && text[at] !== '\t' && !isBreak(at)) at++;
      field = text.slice(from, at);
    }
    row.push(field);
    if (at >= end) break;
    if (text[at] === '\t') {
      at++;
      continue;
    }
    at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1;
    rows.push(row);
    row = [];
    // A line break at the end of the text does not start another row.
    if (at >= end) return rows;
  }
  rows.push(row);
  return rows;
}

/**
 * Reads a field in quotes from tab-separated text. Returns undefined if the closing quote is missing or not followed
 * by a separator. The opening quote is then an ordinary character of an unquoted field.
 */
function readQuoted(text: string, start: number): { field: string; next: number } | undefined {
  let at = start + 1;
  let field = '';
  for (;;) {
    const close = text.indexOf('"', at);
    if (close < 0) return undefined;
    field += text.slice(at, close);
    if (text[close + 1] !== '"') {
      const after = text[close + 1];
      return after === undefined || after === '\t' || after === '\n' || after === '\r'
        ? { field, next: close + 1 }
        : undefined;
    }
    field += '"';
    at = close + 2;
  }
}

export interface HtmlCell {
  readonly text: string;
  /** CSS declarations for the cell's `style` attribute. */
  readonly style: string;
  /**
   * Number of rows (`down`) and columns (`across`) that a merged cell spans. Both are 0 for a cell that another cell of
   * the merged range covers, and undefined for a cell that is not merged.
   */
  readonly down?: number;
  readonly across?: number;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (sign) => entities[sign]!).replaceAll('\n', '<br>');
}

export function toHtml(rows: readonly (readonly HtmlCell[])[]): string {
  const cell = ({ text, style, down = 1, across = 1 }: HtmlCell): string => {
    if (down === 0) return '';
    const spans = `${down > 1 ? ` rowspan="${down}"` : ''}${across > 1 ? ` colspan="${across}"` : ''}`;
    return `<td${spans}${style === '' ? '' : ` style="${escaped(style)}"`}>${escaped(text)}</td>`;
  };
  return `<meta charset="utf-8"><table>${rows.map((row) => `<tr>${row.map(cell).join('')}</tr>`).join('')}</table>`;
}
