import { tokenLimitEnd } from '../analysis/llm-token-estimate.ts';

/** Offsets of headings, pages and tables in a text. */
export interface Outline {
  headings: readonly { level: number; offset: number; text: string }[];
  pages: readonly { label: string; offset: number }[];
  tables?: readonly TextTable[] | undefined;
}

/** Rows of a table in a text: a line for each, with tabs between its cells. The row of headings is not among them. */
export interface TextTable {
  from: number;
  to: number;
  /** Headings of the columns, left to right; empty if there are none. */
  headings: readonly string[];
  /** Where the rows are in a spreadsheet; undefined if the text does not tell. */
  place?: TablePlace | undefined;
}

export interface TablePlace {
  /** The sub-sheet as addresses name it, such as `Parts!`. */
  sheet: string;
  /** Column of the first cell of a line, from 0. */
  left: number;
  /** Row of each line, from 0. */
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
  /** The table of which the passage is a run of rows. */
  table?: TextTable;
}

/** Target size of a passage in language model tokens, about a few paragraphs. */
const passageTokens = 220;
/** Target size of a run of rows: those around the one that answers are of little use. */
const tableTokens = 120;

/** Splits a text at headings, pages and tables and, where these are far apart, between paragraphs, sentences or words. */
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

/** Returns the end of a run of whole lines. A line that is longer than a passage is one by itself. */
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
