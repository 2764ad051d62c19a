import type { OutlineHeading, TextOutline } from '../../../ports/note-text.ts';
import { clip, markdownLines, type MarkdownLine } from './markdown-lines.ts';

const headingLine = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/;
const underline = /^ {0,3}(=+|-+)[ \t]*$/;
/** Matches lines, such as list items and quotes, that do not become a heading when the next line is an underline. */
const noParagraph = /^(?:[ \t]*$| {0,3}(?:#{1,6}(?:[ \t]|$)|>|[-*+][ \t]|\d{1,9}[.)][ \t]|\|))/;

const maxHeadings = 2000;
const maxHeadingLength = 200;

/** Lists the headings of a text with the ranges of their sections. */
export function outlineOf(markdown: string): TextOutline {
  const lines = markdownLines(markdown);
  const found = lines.flatMap((_, index) => headingAt(lines, index) ?? []);
  const headings = found.slice(0, maxHeadings).map((heading) => ({ ...heading, to: markdown.length }));
  // A heading ends the sections of earlier headings that have the same or a deeper level.
  const open: OutlineHeading[] = [];
  for (const heading of headings) {
    while (open.length > 0 && open.at(-1)!.level >= heading.level) open.pop()!.to = heading.from;
    open.push(heading);
  }
  const cut = found[maxHeadings];
  if (cut) for (const heading of open) heading.to = cut.from;
  return { headings, isCut: cut !== undefined };
}

function headingAt(lines: readonly MarkdownLine[], index: number): Omit<OutlineHeading, 'to'> | undefined {
  const { text, from, isCode } = lines[index]!;
  if (isCode) return undefined;
  const place = { line: index + 1, from };
  const [, marks, words] = headingLine.exec(text) ?? [];
  if (marks !== undefined)
    return {
      ...place,
      level: marks.length,
      text: clip((words ?? '').replace(/[ \t]+#+[ \t]*$/, '').trim(), maxHeadingLength),
    };
  const next = lines[index + 1];
  const [, line] = (next && !next.isCode && underline.exec(next.text)) || [];
  if (line === undefined || noParagraph.test(text)) return undefined;
  return { ...place, level: line.startsWith('=') ? 1 : 2, text: clip(text.trim(), maxHeadingLength) };
}

/**
 * Finds headings by their text, with or without leading `#`, or by a path of headings such as "Plans > March". Returns
 * all matches.
 */
export function findHeadings(headings: readonly OutlineHeading[], name: string): OutlineHeading[] {
  const path = name.split(' > ').map(fold);
  const whole = headings.filter((heading) => fold(heading.text) === fold(name));
  if (whole.length > 0) {
    const level = /^(#{1,6})[ \t]/.exec(name.trim())?.[1]?.length;
    return level === undefined ? whole : whole.filter((heading) => heading.level === level);
  }
  if (path.length < 2) return [];
  return headings.filter((heading) => {
    const above = headings.filter(
      (one) => one.from < heading.from && one.to >= heading.to && one.level < heading.level,
    );
    const titles = [...above, heading].map((one) => fold(one.text));
    return path.every((part, index) => titles[titles.length - path.length + index] === part);
  });
}

function fold(text: string): string {
  return text
    .trim()
    .replace(/^#{1,6}[ \t]+/, '')
    .replace(/\s+/g, ' ')
    .normalize('NFKC')
    .toLowerCase();
}

/**
 * Returns the heading with this name. Returns a refusal with an error message if there is no such heading or more than
 * one. `field` is the input field that contains the name.
 */
export function requireHeading(
  headings: readonly OutlineHeading[],
  name: string,
  field: string,
): OutlineHeading | { refused: string } {
  const found = findHeadings(headings, name);
  if (found.length === 1) return found[0]!;
  if (found.length > 1)
    return {
      refused:
        `${field}: ${found.length} headings are called ${JSON.stringify(clip(name, 80))}, at lines ` +
        `${formatLineNumbers(found.map((one) => one.line))}; name the one above it too: "Parent > Heading"`,
    };
  const some = headings.slice(0, 10).map((one) => JSON.stringify(clip(one.text, 60)));
  return {
    refused:
      `${field}: the note has no heading ${JSON.stringify(clip(name, 80))}; ` +
      (some.length === 0 ? 'it has none at all' : `it has ${some.join(', ')}${headings.length > 10 ? ', …' : ''}`),
  };
}

const maxListed = 10;

/** Formats line numbers for an error message. At most ten are listed, followed by the number of the others. */
export function formatLineNumbers(numbers: readonly number[]): string {
  const more = numbers.length - maxListed;
  return numbers.slice(0, maxListed).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
