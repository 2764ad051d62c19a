/**
 * Maximum estimated parsing time in milliseconds of text that counts as cheap. The estimate is for a slow device and
 * uses the costs below.
 */
const maxMs = 150;
/**
 * Highest measured parsing costs in milliseconds per line, list item, HTML tag or punctuation mark. A `pairOf` cost is
 * multiplied by the square of the count, the `tripleOf` cost by its cube.
 */
const lineMs = 0.03;
const pairOfLinesMs = 1e-4;
const pairOfItemsMs = 1.4e-4;
const tagMs = 1;
const pairOfMarksMs = 5e-6;
const tripleOfMarksMs = 1e-7;
/**
 * Maximum sum of the squared paragraph lengths in characters. It limits the parsing costs that the estimate in
 * milliseconds does not cover; parsing takes about half a second at this limit.
 */
const maxPairs = 30_000_000;
/**
 * Maximum number of spaces, quote marks and list markers at the start of a line. More of them may mean deeply nested
 * quotes or lists, and the parser parses the whole content again at each level.
 */
const maxDepth = 24;

/**
 * Returns true if the Markdown certainly parses fast. False means unknown: the caller must either try to parse it in a
 * worker or not parse it at all.
 */
export function isCheapToParse(markdown: string): boolean {
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

/** Splits the text at blank lines. Yields the counts of each paragraph that determine its parsing cost. */
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
    open.isDeep ||= /^[ \t>+*-]*/.exec(line)![0].length > maxDepth;
    if (line.trim() === '') {
      yield open;
      open = { lines: 0, items: 0, tags: 0, marks: 0, length: 0, isDeep: false };
    }
    at = end + 1;
  }
  yield open;
}
