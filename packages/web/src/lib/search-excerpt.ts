/** A part of a search excerpt. `found` is true if the server marked it as a hit. */
interface ExcerptPart {
  text: string;
  found: boolean;
}

export function parseExcerpt(text: string): ExcerptPart[] {
  const pieces: ExcerptPart[] = [];
  let found = false;
  for (const part of text.split(/(<em>|<\/em>)/)) {
    if (part === '<em>') found = true;
    else if (part === '</em>') found = false;
    else if (part !== '') pieces.push({ text: unescapeHtml(part), found });
  }
  return pieces;
}

/** Returns the distinct words that the server marked as hits. They are used for highlighting in the full text. */
export function hitWords(text: string): string[] {
  return [
    ...new Set(
      parseExcerpt(text)
        .filter((piece) => piece.found)
        .map((piece) => piece.text),
    ),
  ];
}

/**
 * Returns a case-insensitive pattern that matches any of the words, or undefined if there are no words. It tries longer
 * words first. It has one capture group, so that `split` returns the matches at odd indexes.
 */
export function wordPattern(words: readonly string[]): RegExp | undefined {
  if (words.length === 0) return undefined;
  const any = words
    .toSorted((one, other) => other.length - one.length)
    .map(escapeRegExp)
    .join('|');
  return new RegExp(`(${any})`, 'giu');
}

export function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#x27;': "'",
};

function unescapeHtml(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39|#x27);/g, (entity) => entities[entity] ?? entity);
}
