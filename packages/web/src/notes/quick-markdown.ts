/** Milliseconds of a slow moment that the lexer may take, by the worst that was measured of it. */
const maxMs = 150;
/** A line by itself; the lines of a paragraph, when each goes on with the one before; items of lists; HTML; marks of emphasis and links. */
const lineMs = 0.03;
const pairOfLinesMs = 1e-4;
const pairOfItemsMs = 1.4e-4;
const tagMs = 1;
const pairOfMarksMs = 5e-6;
const tripleOfMarksMs = 1e-7;
/** What was not thought of grows with the square of a paragraph's characters at most: so many pairs take half a second. */
const maxPairs = 30_000_000;
/** Each level of quotes or lists reads all below it once more. */
const deepest = 24;

/**
 * Whether Markdown is read in a moment whatever it holds. Where it is not sure the answer is no: the text may still be
 * harmless, and somebody has to try it where it keeps nobody waiting.
 */
export function isSurelyQuick(markdown: string): boolean {
  let ms = 0;
  let pairs = 0;
  let items = 0;
  for (const paragraph of paragraphsOf(markdown)) {
    if (paragraph.isDeep) return false;
    const { lines, marks, length } = paragraph;
    ms +=
      paragraph.tags * tagMs +
      lines * lineMs +
      lines * lines * pairOfLinesMs +
      marks * marks * pairOfMarksMs +
      marks * marks * marks * tripleOfMarksMs;
    pairs += length * length;
    items += paragraph.items;
    if (ms + items * items * pairOfItemsMs > maxMs || pairs > maxPairs) return false;
  }
  return true;
}

interface Paragraph {
  lines: number;
  items: number;
  tags: number;
  marks: number;
  length: number;
  isDeep: boolean;
}

/** Lines with none between them that is blank. */
function* paragraphsOf(text: string): Iterable<Paragraph> {
  let open: Paragraph = { lines: 0, items: 0, tags: 0, marks: 0, length: 0, isDeep: false };
  for (let at = 0; at <= text.length;) {
    const found = text.indexOf('\n', at);
    const end = found < 0 ? text.length : found;
    const line = text.slice(at, end);
    open.lines += 1;
    if (/^[ \t>]*(?:[-+*]|\d{1,9}[.)])[ \t]/.test(line)) open.items += 1;
    open.length += line.length + 1;
    open.marks += line.match(/[*_~[\]()!<>&`\\|@$]/g)?.length ?? 0;
    open.tags += line.match(/<[a-z!?/]/gi)?.length ?? 0;
    open.isDeep ||= /^[ \t>+*-]*/.exec(line)![0].length > deepest;
    if (line.trim() === '') {
      yield open;
      open = { lines: 0, items: 0, tags: 0, marks: 0, length: 0, isDeep: false };
    }
    at = end + 1;
  }
  yield open;
}
