import { TextMatcher } from '@sheaf/search/query/text-matcher';

interface Named {
  name: string;
  description: string;
}

/**
 * Returns a function that ranks how well a knowledge base matches a query. The lowest rank is the best: equal name,
 * then name prefix, then all words in the name, then all words in name and description. Infinity means no match. For an
 * empty query, all knowledge bases have the same rank.
 */
export function createNameRanker(query: string): (base: Named) => number {
  const wanted = foldText(query);
  if (wanted === '') return () => 0;
  const matcher = new TextMatcher(query, { prefix: true });
  const known = new Map<string, number>();
  const rank = ({ name, description }: Named): number => {
    if (foldText(name) === wanted) return 0;
    if (!containsAllWords(matcher, `${name}\n${description}`)) return Number.POSITIVE_INFINITY;
    if (foldText(name).startsWith(wanted)) return 1;
    return containsAllWords(matcher, name) ? 2 : 3;
  };
  return (base) => {
    const key = `${base.name}\n${base.description}`;
    const found = known.get(key) ?? rank(base);
    known.set(key, found);
    return found;
  };
}

function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

function containsAllWords(matcher: TextMatcher, text: string): boolean {
  const found = new Set<number>();
  matcher.find(text, ({ term }) => {
    found.add(term);
    return false;
  });
  return matcher.terms.length > 0 && matcher.terms.every((unit, term) => unit.isMinor === true || found.has(term));
}
