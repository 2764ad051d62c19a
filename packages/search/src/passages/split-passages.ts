import { tokenLimitEnd } from '../analysis/llm-token-estimate.ts';

/** Offsets of headings and pages in a text. */
export interface Outline {
  headings: readonly { level: number; offset: number; text: string }[];
  pages: readonly { label: string; offset: number }[];
}

/** A range of a text that can be read by itself. */
export interface Passage {
  from: number;
  to: number;
  /** The headings above the passage, highest level first. */
  headings: string[];
  /** Label of the page, slide or sheet where the passage starts. */
  page: string | undefined;
}

/** Target size of a passage in model tokens: a few paragraphs. */
const passageTokens = 220;

/** Splits a text at headings and pages and, where these are far apart, between paragraphs, sentences or words. */
export function splitPassages(text: string, outline: Outline): Passage[] {
  const cuts = [
    ...new Set([0, ...outline.headings.map((one) => one.offset), ...outline.pages.map((one) => one.offset)]),
  ]
    .filter((offset) => offset >= 0 && offset < text.length)
    .sort((one, other) => one - other);
  const passages: Passage[] = [];
  let path: { level: number; text: string }[] = [];
  let heading = 0;
  let page = 0;
  cuts.forEach((start, index) => {
    const end = cuts[index + 1] ?? text.length;
    for (; (outline.headings[heading]?.offset ?? Number.POSITIVE_INFINITY) <= start; heading++) {
      const { level, text: words } = outline.headings[heading]!;
      path = [...path.filter((one) => one.level < level), { level, text: words }];
    }
    while ((outline.pages[page]?.offset ?? Number.POSITIVE_INFINITY) <= start) page += 1;
    for (let from = start; from < end;) {
      const to = Math.min(end, tokenLimitEnd(text, from, passageTokens));
      if (text.slice(from, to).trim() !== '')
        passages.push({ from, to, headings: path.map((one) => one.text), page: outline.pages[page - 1]?.label });
      from = to;
    }
  });
  return passages;
}

/** Builds the outline of a text from its headings, given one per line in order. */
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

/** Returns the offset of the first such line at or after `from`, or -1. */
function findLine(text: string, line: string, from: number): number {
  if (from === 0 && text.startsWith(line)) return 0;
  const found = text.indexOf(`\n${line}`, Math.max(0, from - 1));
  return found < 0 ? -1 : found + 1;
}
