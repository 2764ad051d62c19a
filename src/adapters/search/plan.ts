import { parseQuery, type Term } from '../../lib/tokens.ts';
import type { SearchQuery } from '../../ports/search-index.ts';

/** What a query asks for, in words both databases understand: found alike, ranked alike. */
export type Field = 'title' | 'headings' | 'body';

/** Each term must be found, whole, in one of the fields. */
export interface Clause {
  fields: readonly Field[];
  terms: readonly Term[];
}

export interface Plan {
  /** Nothing can match. */
  none: boolean;
  clauses: Clause[];
  /** Best first; an entry's rank is the first tier it satisfies, or the place after the last. */
  tiers: Clause[];
}

export const everywhere: readonly Field[] = ['title', 'headings', 'body'];
/** Titles are compared by their beginning. */
export const maxTitleKeyLength = 400;
/** How much of a body is indexed, in code units. */
export const maxBodyLength = 4 * 2 ** 20;
/** Past so many matches the phrase is looked for in titles and headings only: in each body would take too long. */
const maxRankedByPhrase = 10_000;

export function planOf(query: SearchQuery): Plan {
  const parts: { fields: readonly Field[]; text: string | undefined }[] = [
    { fields: everywhere, text: query.anywhere },
    { fields: ['headings', 'body'], text: query.body },
    { fields: ['title'], text: query.title },
  ];
  const plan: Plan = { none: query.owners.length === 0, clauses: [], tiers: [] };
  for (const { fields, text } of parts) {
    const parsed = parseQuery(text ?? '');
    if (parsed.matchesAll) continue;
    if (parsed.terms.length === 0) plan.none = true;
    if (plan.clauses.length === 0) plan.tiers = tiersOf(fields, parsed.terms, parsed.phrase);
    plan.clauses.push({ fields, terms: parsed.terms });
  }
  return plan;
}

function tiersOf(fields: readonly Field[], terms: Term[], phrase: Term | undefined): Clause[] {
  const tiers: Clause[] = [];
  for (const field of ['title', 'headings'] as const) {
    if (!fields.includes(field) || fields.length === 1) continue;
    if (phrase) tiers.push({ fields: [field], terms: [phrase] });
    tiers.push({ fields: [field], terms });
  }
  if (phrase) tiers.push({ fields, terms: [phrase] });
  return tiers;
}

/** The tiers to use for so many matches. */
export function tiersFor(plan: Plan, total: number): Clause[] {
  if (total <= maxRankedByPhrase) return plan.tiers;
  return plan.tiers.filter((tier) => tier.fields.length === 1);
}
