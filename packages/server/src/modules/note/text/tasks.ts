import type { EditedText, ScannedTask, TaskChange, TextRefusal } from '../../../ports/note-text.ts';
import { changedLine } from './edit-text.ts';
import { clip, markdownLines, type MarkdownLine } from './markdown-lines.ts';
import { formatLineNumbers } from './outline.ts';

const taskLine = /^([ \t>]{0,64}(?:[-*+]|\d{1,9}[.)])[ \t]+\[)([ xX])(\][ \t]+)(\S.*)$/;
const dueDate = /(?:^|[ \t(])@(\d{4}-\d{2}-\d{2})(?![\w-])/;

const maxTaskLength = 500;

/**
 * Returns the task in a line, which is a list item with a checkbox (`- [ ]`). Returns undefined if the line is not a
 * task.
 */
export function taskAt({ text, isCode }: MarkdownLine, line: number): ScannedTask | undefined {
  const found = isCode ? undefined : taskLine.exec(text);
  if (!found) return undefined;
  const words = found[4]!.trim();
  const date = dueDate.exec(words)?.[1] ?? '';
  return { line, text: clip(words, maxTaskLength), isDone: found[2] !== ' ', due: isDate(date) ? date : '' };
}

export function isDate(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Checks or unchecks a task and sets its due date. The change identifies the task by its line, its text, or both. */
export function setTask(markdown: string, change: TaskChange): EditedText | TextRefusal {
  const lines = markdownLines(markdown);
  const found = findTask(lines, change);
  if ('refused' in found) return found;
  const line = lines[found.line - 1]!;
  const [, start, , end, words] = taskLine.exec(line.text)!;
  const mark = (change.done ?? found.isDone) ? 'x' : ' ';
  const text = change.due === undefined ? words! : withDue(words!, change.due);
  const changed = `${start}${found.isDone && mark === 'x' ? line.text[start!.length]! : mark}${end}${text}`;
  const result = markdown.slice(0, line.from) + changed + markdown.slice(line.from + line.text.length);
  return { text: result, changes: [changedLine(result, line.from)] };
}

function withDue(words: string, due: string): string {
  const bare = words.replace(dueDate, (match) => (match.startsWith('(') ? '(' : '')).trimEnd();
  return due === '' ? bare : `${bare} @${due}`;
}

function findTask(lines: readonly MarkdownLine[], { line, text }: TaskChange): ScannedTask | TextRefusal {
  if (line !== undefined) {
    const task = lines[line - 1] && taskAt(lines[line - 1]!, line);
    if (!task) return { refused: `line: line ${line} is no task; list_tasks has their lines` };
    if (text !== undefined && !isSameText(task.text, text))
      return { refused: `text: the task at line ${line} is ${JSON.stringify(clip(task.text, 200))}` };
    return task;
  }
  const wanted = text ?? '';
  const tasks = lines.flatMap((one, index) => taskAt(one, index + 1) ?? []);
  const same = tasks.filter((task) => isSameText(task.text, wanted));
  const found = same.length > 0 ? same : tasks.filter((task) => task.text.startsWith(wanted.trim()));
  if (found.length === 1) return found[0]!;
  if (found.length === 0)
    return {
      refused: `text: the note has no task ${JSON.stringify(clip(wanted, 200))}; list_tasks has their texts`,
    };
  const which = same.length > 0 ? 'have' : 'begin with';
  const lineList = formatLineNumbers(found.map((task) => task.line));
  return { refused: `text: ${found.length} tasks ${which} this text, at lines ${lineList}; send line` };
}

/** Returns whether the wanted text identifies the task. The wanted text may omit the task's due date. */
function isSameText(task: string, wanted: string): boolean {
  const text = clip(wanted.trim(), maxTaskLength);
  return text === task || text === withDue(task, '');
}
