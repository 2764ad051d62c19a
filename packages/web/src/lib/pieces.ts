/** What the server marks in a passage, as data. */
interface Piece {
  text: string;
  found: boolean;
}

export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let found = false;
  for (const part of text.split(/(<em>|<\/em>)/)) {
    if (part === '<em>') found = true;
    else if (part === '</em>') found = false;
    else if (part !== '') pieces.push({ text: unescaped(part), found });
  }
  return pieces;
}

/** The words that were found, to look for them again in the whole text. */
export function foundWords(text: string): string[] {
  return [
    ...new Set(
      piecesOf(text)
        .filter((piece) => piece.found)
        .map((piece) => piece.text),
    ),
  ];
}

/** Finds any of the words, the longest first; undefined without words. Split by it, every second part is a word. */
export function wordPattern(words: readonly string[]): RegExp | undefined {
  if (words.length === 0) return undefined;
  const any = words
    .toSorted((one, other) => other.length - one.length)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('|');
  return new RegExp(`(${any})`, 'giu');
}

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#x27;': "'",
};

function unescaped(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39|#x27);/g, (entity) => entities[entity] ?? entity);
}
