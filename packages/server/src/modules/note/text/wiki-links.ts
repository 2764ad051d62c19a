import { titleSortKey } from '../../../lib/sort-key.ts';
import type { LinkTarget, ReplacedText } from '../../../ports/note-text.ts';
import { cleanTitle } from '../parse-markdown.ts';
import { blankInlineCode, markdownLines } from './markdown-lines.ts';
import { replaceMatches } from './replace-text.ts';

/** Matches a link in double brackets: `[[Title]]`, `[[Title|text]]` or `[[Title#Heading]]`. */
export const wikiLink = /\[\[([^[\]\n|#]{1,300})(?:#([^[\]\n|]{0,300}))?(?:\|([^[\]\n]{0,300}))?\]\]/g;

/**
 * Returns the key by which titles are compared, so that links find notes by title. It ignores case, accents and
 * repeated spaces.
 */
export function titleKeyOf(title: string): string {
  return titleSortKey(cleanTitle(title));
}

export function isEscaped(line: string, at: number): boolean {
  return at > 0 && line[at - 1] === '\\';
}

/** Returns whether a link in double brackets can contain this title. */
function fitsBrackets(title: string): boolean {
  return !/[[\]|#\n]/.test(title);
}

/**
 * Updates the links to a note after it was renamed. In each link whose title has one of the given keys, replaces the
 * title by the target's title. If double brackets cannot contain the new title, the link becomes a Markdown link with
 * the target's id.
 */
export function relinkText(markdown: string, titleKeys: readonly string[], target: LinkTarget): ReplacedText {
  const keys = new Set(titleKeys);
  // Replace all code by spaces. Offsets stay the same, and links in code are not changed.
  const scanned = markdownLines(markdown)
    .map(({ text, from, isCode }, index, lines) => {
      const end = lines[index + 1]?.from ?? markdown.length;
      const line = isCode ? ' '.repeat(text.length) : blankInlineCode(text);
      return line + markdown.slice(from + text.length, end);
    })
    .join('');
  return replaceMatches(markdown, new RegExp(wikiLink.source, 'g'), (match) => {
    const [whole, title, heading, label] = match;
    if (scanned.slice(match.index, match.index + whole.length) !== whole) return undefined;
    if (isEscaped(markdown, match.index) || !keys.has(titleKeyOf(title!))) return undefined;
    if (fitsBrackets(target.title))
      return `[[${target.title}${heading === undefined ? '' : `#${heading}`}${label === undefined ? '' : `|${label}`}]]`;
    return `[${(label || target.title).replace(/[\\[\]]/g, String.raw`\$&`)}](/notes/${target.id})`;
  });
}
