import { tokenLimitEnd } from '../analysis/llm-token-estimate.ts';

/** The headings, pages and tables of a text, with their offsets. */
export interface Outline {
  headings: readonly { level: number; offset: number; text: string }[];
  pages: readonly { label: string; offset: number }[];
  tables?: readonly TextTable[] | undefined;
}

/** Table rows in a text: one line per row, with tabs between the cells, without the header row. */
export interface TextTable {
  from: number;
  to: number;
  /** Column headings from left to right; empty if the table has none. */
  headings: readonly string[];
  /** Position of the rows in a spreadsheet; undefined if unknown. */
  place?: TableLocation | undefined;
}

export interface TableLocation {
  /** Name of the sub-sheet in the notation of cell addresses, such as `Parts!`. */
  sheet: string;
  /** Zero-based sheet column of the first cell in every line of the table's text. */
  left: number;
  /** Zero-based row of each line. */
  rows: readonly number[];
}

/** A section of a text that is ranked and shown as a unit. */
export interface Passage {
  from: number;
  to: number;
  /** The headings above the passage, highest level first. */
  headings: readonly string[];
  /** Label of the page, slide or sheet where the passage starts. */
  page: string | undefined;
  /** The table that contains the passage, if the passage consists of table rows. */
  table?: TextTable;
}

/** Target size of a passage in language model tokens, about a few paragraphs. */
const passageTokens = 220;
/**
 * Target size in language model tokens of a passage that consists of table rows. It is smaller than that of other
 * passages, because rows next to the matching one add little.
 */
const tableTokens = 120;

/**
 * Splits a text at headings, pages and tables, and between paragraphs, sentences or words where these are far apart.
 */
export function splitPassages(text: string, outline: Outline): Passage[] {
  const tables = outline.tables ?? [];
  const offsets = [outline.headings, outline.pages].flatMap((list) => list.map((one) => one.offset));
  const cuts = [...new Set([0, ...offsets, ...tables.flatMap(({ from, to }) => [from, to])])]
    .filter((offset) => offset >= 0 && offset < text.length)
    .sort((one, other) => one - other);
  const passages: Passage[] = [];
  let path: { level: number; text: string }[] = [];
  let [heading, page, table] = [0, 0, 0];
  cuts.forEach((start, index) => {
    const end = cuts[index + 1] ?? text.length;
    for (; (outline.headings[heading]?.offset ?? Number.POSITIVE_INFINITY) <= start; heading++) {
      const { level, text: words } = outline.headings[heading]!;
      path = [...path.filter((one) => one.level < level), { level, text: words }];
    }
    while ((outline.pages[page]?.offset ?? Number.POSITIVE_INFINITY) <= start) page += 1;
    while ((tables[table]?.to ?? Number.POSITIVE_INFINITY) <= start) table += 1;
    const rows = (tables[table]?.from ?? Number.POSITIVE_INFINITY) <= start ? tables[table] : undefined;
    const about = { headings: path.map((one) => one.text), page: outline.pages[page - 1]?.label };
    for (let from = start; from < end;) {
      const to = Math.min(end, rows ? runOfLinesEnd(text, from) : tokenLimitEnd(text, from, passageTokens));
      if (text.slice(from, to).trim() !== '') passages.push({ from, to, ...about, ...(rows && { table: rows }) });
      from = to;
    }
  });
  return passages;
}

/**
 * Returns the end of a run of whole lines that fits into one passage. A line that is too long for a passage forms a run
 * alone.
 */
function runOfLinesEnd(text: string, from: number): number {
  const most = tokenLimitEnd(text, from, tableTokens);
  if (most >= text.length) return text.length;
  const last = text.lastIndexOf('\n', most - 1);
  if (last >= from) return last + 1;
  const next = text.indexOf('\n', most);
  return next < 0 ? text.length : next + 1;
}

/** Builds the outline of a text from its headings, which `headings` lists one per line in text order. */
export function buildOutline(text: string, headings: string): Outline {
  const found: Outline['headings'][number][] = [];
  let at = 0;
  for (const line of headings.split('\n')) {
    if (line === '') continue;
    const offset = findLine(text, line, at);
    if (offset < 0) continue;
    found.push({ level: 1, offset, text: line });
    at = offset + line.length;
  }
  return { headings: found, pages: [] };
}

/** Returns the offset of the first line at or after `from` that starts with `line`, or -1. */
function findLine(text: string, line: string, from: number): number {
  if (from === 0 && text.startsWith(line)) return 0;
  const found = text.indexOf(`\n${line}`, Math.max(0, from - 1));
  return found < 0 ? -1 : found + 1;
}
