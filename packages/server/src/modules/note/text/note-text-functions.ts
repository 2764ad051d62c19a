import { diffText } from './diff-text.ts';
import { editText } from './edit-text.ts';
import { outlineOf } from './outline.ts';
import { replaceText } from './replace-text.ts';
import { scanNote } from './scan-note.ts';
import { setTask } from './tasks.ts';
import { anchorQuote, locateQuotes } from './quotes.ts';
import { relinkText } from './wiki-links.ts';

/**
 * Functions on a note's Markdown. For long texts they run in a worker thread, so they take only arguments that can be
 * sent to a thread.
 */
export const noteTextFunctions = {
  edit: editText,
  setTask,
  replace: replaceText,
  relink: relinkText,
  diff: diffText,
  outline: outlineOf,
  scan: scanNote,
  anchorQuote,
  locateQuotes,
};

export type NoteTextFunctions = typeof noteTextFunctions;
export type NoteTextFunctionName = keyof NoteTextFunctions;
