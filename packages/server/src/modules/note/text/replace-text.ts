import type { ReplacedText, Replacement } from '../../../ports/note-text.ts';
import { changedLine } from './edit-text.ts';

const maxShown = 3;
/** Text length at which replacing stops, because a longer note cannot be stored. */
const maxLength = 2 * 2 ** 20;

/**
 * Replaces every occurrence of `old` by `new`, optionally ignoring case (`ignoreCase`) or only as a whole word
 * (`wholeWord`).
 */
export function replaceText(markdown: string, replacement: Replacement): ReplacedText {
  const { old, ignoreCase = false, wholeWord = false } = replacement;
  const literal = old.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  const before = wholeWord && /^[\p{L}\p{N}_]/u.test(old) ? String.raw`(?<![\p{L}\p{N}_])` : '';
  const after = wholeWord && /[\p{L}\p{N}_]$/u.test(old) ? String.raw`(?![\p{L}\p{N}_])` : '';
  return replaceMatches(
    markdown,
    new RegExp(before + literal + after, ignoreCase ? 'giu' : 'gu'),
    () => replacement.new,
  );
}

/** Replaces the matches of a pattern. A match for which `replace` returns undefined stays unchanged. */
export function replaceMatches(
  markdown: string,
  pattern: RegExp,
  replace: (match: RegExpExecArray) => string | undefined,
): ReplacedText {
  const offsets: number[] = [];
  let text = '';
  let done = 0;
  for (let match = pattern.exec(markdown); match && text.length <= maxLength; match = pattern.exec(markdown)) {
    const put = replace(match);
    if (put === undefined) continue;
    text += markdown.slice(done, match.index);
    offsets.push(text.length);
    text += put;
    done = match.index + match[0].length;
  }
  text += markdown.slice(done);
  return {
    text,
    count: offsets.length,
    changes: offsets.slice(0, maxShown).map((offset) => changedLine(text, offset)),
  };
}
