import { splitFrontMatter } from '../parse-markdown.ts';

/** A line of a Markdown text, without its line end. */
export interface MarkdownLine {
  text: string;
  /** Offset of the line in the text. */
  from: number;
  /** Whether the line belongs to a code block or to the front matter (metadata at the start of the text). */
  isCode: boolean;
}

const fence = /^[ \t>]{0,64}(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,4})?(`{3,}|~{3,})([^`]*)$/;
const fenceEnd = /^[ \t>]{0,64}(`{3,}|~{3,})[ \t]*$/;
const listItem = /^[ \t>]{0,64}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;

/** Splits a text into lines and marks the lines that are code, in linear time. */
export function markdownLines(markdown: string): MarkdownLine[] {
  const lines: MarkdownLine[] = [];
  const codeState = new CodeState();
  const bodyStart = markdown.length - splitFrontMatter(markdown).body.length;
  for (let from = 0; ;) {
    const end = markdown.indexOf('\n', from);
    const to = end < 0 ? markdown.length : end;
    const text = markdown.slice(from, to > from && markdown[to - 1] === '\r' ? to - 1 : to);
    lines.push({ text, from, isCode: from < bodyStart || codeState.next(text) });
    if (end < 0) return lines;
    from = end + 1;
  }
}

/** Tracks from line to line whether the text is inside a fenced or indented code block. */
class CodeState {
  #fence = '';
  #isIndented = false;
  #isInList = false;
  #wasBlank = true;

  next(line: string): boolean {
    if (this.#fence !== '') {
      const end = fenceEnd.exec(line)?.[1] ?? '';
      if (end[0] === this.#fence[0] && end.length >= this.#fence.length) this.#fence = '';
      this.#wasBlank = false;
      return true;
    }
    const opened = fence.exec(line)?.[1];
    if (opened !== undefined) {
      this.#fence = opened;
      return true;
    }
    const isBlank = line.trim() === '';
    const isDeep = /^(?: {4}|\t)/.test(line);
    if (!isBlank) {
      if (listItem.test(line) && (!isDeep || this.#isInList)) this.#isInList = true;
      else if (this.#wasBlank && !/^[ \t]/.test(line)) this.#isInList = false;
      this.#isIndented = isDeep && !this.#isInList && (this.#wasBlank || this.#isIndented);
    }
    this.#wasBlank = isBlank;
    return this.#isIndented && !isBlank;
  }
}

/** Replaces inline code by spaces, so that no links or tags are found in it and offsets stay the same. */
export function blankInlineCode(line: string): string {
  if (!line.includes('`')) return line;
  const runs = [...line.matchAll(/`+/g)].map((run) => ({ from: run.index, length: run[0].length }));
  // Lengths of backtick runs that have no matching run later in the line. Remembering them avoids scanning the line
  // again for each such run.
  const unmatched = new Set<number>();
  let result = '';
  let done = 0;
  for (let at = 0; at < runs.length; at++) {
    const { from, length } = runs[at]!;
    if (unmatched.has(length)) continue;
    let close = at + 1;
    while (close < runs.length && runs[close]!.length !== length) close += 1;
    if (close === runs.length) {
      unmatched.add(length);
      continue;
    }
    const to = runs[close]!.from + length;
    result += line.slice(done, from) + ' '.repeat(to - from);
    done = to;
    at = close;
  }
  return result + line.slice(done);
}

/** Returns a line shortened to `max` characters, without splitting a surrogate pair. */
export function clip(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
