import type { ChangedLine, EditedText, TextEdit, TextRefusal } from '../../../ports/note-text.ts';
import { clip } from './markdown-lines.ts';
import { formatLineNumbers, outlineOf, requireHeading } from './outline.ts';

const maxShownLength = 200;
/**
 * Maximum number of occurrences of the text to replace. If there are more, the edit is refused, and the error message
 * gives this number.
 */
const maxOccurrences = 10_000;
const maxChanges = 20;
/** Maximum length of an edited text in UTF-16 code units. The store has a lower limit in bytes. */
const maxLength = 2 * 2 ** 20;

type Step = { text: string; at: number[] } | TextRefusal;

/**
 * Applies edits to a text one after another. If one is refused, returns a refusal that names the edit, the rule and the
 * lines, and the text stays unchanged.
 */
export function editText(markdown: string, edits: readonly TextEdit[]): EditedText | TextRefusal {
  const usesCrLf = markdown.includes('\r\n');
  let text = markdown;
  const changes: ChangedLine[] = [];
  for (const [index, edit] of edits.entries()) {
    const step = applyEdit(text, usesCrLf ? withCrLf(edit) : edit, `edits.${index}`);
    if ('refused' in step) return step;
    text = step.text;
    for (const offset of step.at.slice(0, maxChanges - changes.length)) changes.push(changedLine(text, offset));
  }
  return { text, changes };
}

/** Converts the line ends of the edit to CR LF, like those of the note, because clients send only LF. */
function withCrLf(edit: TextEdit): TextEdit {
  const convert = (text: string): string => text.replace(/\r?\n/g, '\r\n');
  return { ...edit, new: convert(edit.new), ...(edit.old === undefined ? {} : { old: convert(edit.old) }) };
}

export function changedLine(text: string, offset: number): ChangedLine {
  const from = text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', offset);
  const whole = text.slice(from, end < 0 ? text.length : end).trimEnd();
  const skipped = Math.max(0, offset - from - maxShownLength / 2);
  const shown = skipped === 0 ? whole : `…${whole.slice(skipped).replace(/^[\udc00-\udfff]/, '')}`;
  return { line: lineAt(text, offset), text: clip(shown, maxShownLength) };
}

export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

function applyEdit(text: string, edit: TextEdit, field: string): Step {
  const given = [edit.after, edit.replaceSection, edit.atEnd === true ? '' : undefined].filter(
    (one) => one !== undefined,
  ).length;
  if (edit.old === undefined && given + (edit.under === undefined ? 0 : 1) !== 1)
    return { refused: `${field}: send old, or exactly one of under, after, replace_section and at_end` };
  if (edit.old !== undefined && given > 0)
    return {
      refused: `${field}: old cannot be combined with after, replace_section or at_end; under restricts it to a section`,
    };
  return edit.old === undefined ? editSection(text, edit, field) : replaceOld(text, edit, edit.old, field);
}

function replaceOld(text: string, edit: TextEdit, old: string, field: string): Step {
  let range = { from: 0, to: text.length };
  if (edit.under !== undefined) {
    const heading = requireHeading(outlineOf(text).headings, edit.under, `${field}.under`);
    if ('refused' in heading) return heading;
    range = heading;
  }
  const found: number[] = [];
  for (
    let at = text.indexOf(old, range.from);
    at >= 0 && at + old.length <= range.to;
    at = text.indexOf(old, at + old.length)
  ) {
    if (found.push(at) > maxOccurrences) return { refused: `${field}.old: occurs more than ${maxOccurrences} times` };
  }
  if (found.length === 0)
    return { refused: `${field}.old: does not occur${describePlace(edit)}${nearMiss(text, old)}` };
  if (found.length !== (edit.count ?? 1)) {
    const lines = `occurs ${found.length} times${describePlace(edit)}, at lines ${formatLineNumbers(linesAt(text, found))}`;
    return edit.count === undefined
      ? { refused: `${field}.old: ${lines}; send more of the text around it, under, or count: ${found.length}` }
      : { refused: `${field}.count: old ${lines} (got count ${edit.count})` };
  }
  const length = text.length + found.length * (edit.new.length - old.length);
  if (length > maxLength)
    return {
      refused: `${field}.new: the note would have ${length} characters, and at most ${maxLength} can be edited`,
    };
  let result = '';
  let done = 0;
  const at: number[] = [];
  for (const from of found) {
    result += text.slice(done, from);
    at.push(result.length);
    result += edit.new;
    done = from + old.length;
  }
  return { text: result + text.slice(done), at };
}

function linesAt(text: string, offsets: readonly number[]): number[] {
  let line = 1;
  let at = 0;
  return offsets.map((offset) => {
    for (let next = text.indexOf('\n', at); next >= 0 && next < offset; next = text.indexOf('\n', at)) {
      line += 1;
      at = next + 1;
    }
    return line;
  });
}

function describePlace({ under }: TextEdit): string {
  return under === undefined ? ' in the note' : ` under ${JSON.stringify(clip(under, 80))}`;
}

/**
 * Returns a hint for the message that the text to replace was not found. It shows the first line of the note that is
 * like the first line of the wanted text except for case or spaces, which is the most common mistake. Returns '' if
 * there is no such line.
 */
function nearMiss(text: string, old: string): string {
  const fold = (line: string): string => line.replace(/\s+/g, ' ').trim().toLowerCase();
  const wanted = fold(old.split('\n').find((line) => line.trim() !== '') ?? '');
  if (wanted === '') return '';
  const lines = text.split('\n');
  const at = lines.findIndex((line) => fold(line).includes(wanted));
  return at < 0 ? '' : `; line ${at + 1} is similar: ${JSON.stringify(clip(lines[at]!.trim(), maxShownLength))}`;
}

function editSection(text: string, edit: TextEdit, field: string): Step {
  if (edit.atEnd === true) return insert(text, text.length, text.length, edit.new);
  const [name, value] = (
    [
      ['under', edit.under],
      ['after', edit.after],
      ['replace_section', edit.replaceSection],
    ] as const
  ).find(([, heading]) => heading !== undefined)!;
  const { headings } = outlineOf(text);
  const heading = requireHeading(headings, value!, `${field}.${name}`);
  if ('refused' in heading) return heading;
  const bodyStart = bodyOf(text, heading.from);
  if (name === 'after') return insert(text, bodyStart, bodyStart, edit.new);
  if (name === 'replace_section') return insert(text, bodyStart, heading.to, edit.new);
  const next = headings.find((one) => one.from > heading.from);
  const end = Math.min(heading.to, next?.from ?? heading.to);
  const written = bodyStart + text.slice(bodyStart, end).trimEnd().length;
  return insert(text, written, end, edit.new);
}

/**
 * Returns the offset of the line after the heading that begins at `from`. If the heading is underlined, returns the
 * offset of the line after the underline.
 */
function bodyOf(text: string, from: number): number {
  const after = (at: number): number => {
    const end = text.indexOf('\n', at);
    return end < 0 ? text.length : end + 1;
  };
  const next = after(from);
  const isUnderlined = !/^ {0,3}#/.test(text.slice(from, from + 4));
  return isUnderlined ? after(next) : next;
}

/** Replaces a range of the text by `added`, with blank lines before and after it. */
function insert(text: string, from: number, to: number, added: string): Step {
  const before = text.slice(0, from).trimEnd();
  const rest = text.slice(to).replace(/^(?:[ \t]*\r?\n)+/, '');
  const gap = text.includes('\r\n') ? '\r\n\r\n' : '\n\n';
  const body = added.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd();
  if (body === '')
    return { text: before + (rest === '' ? gap.slice(gap.length / 2) : gap + rest), at: [before.length] };
  const isContinued = isListLine(lastLine(before)) && isListLine(body.split('\n', 1)[0]!);
  // Continue a list without a blank line, because a blank line would start a second list.
  const lead = before === '' ? '' : isContinued ? gap.slice(gap.length / 2) : gap;
  const tail = rest === '' ? gap.slice(gap.length / 2) : gap;
  return { text: before + lead + body + tail + rest, at: [before.length + lead.length] };
}

function lastLine(text: string): string {
  return text.slice(text.lastIndexOf('\n') + 1);
}

function isListLine(line: string): boolean {
  return /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/.test(line);
}
