import type { Term } from '../../lib/tokens.ts';
import { everywhere, type Clause } from './plan.ts';
import { fieldMarks } from './sqlite-schema.ts';

/** Queries in FTS5's own language. Tokens hold letters, digits, marks and our sign only, so quoting is all they need. */
export function clauseExpression(clause: Clause): string {
  const [field] = clause.fields;
  const mark = clause.fields.length === 1 && field !== undefined && field !== 'body' ? fieldMarks[field] : '';
  const terms = clause.terms.map((term) => termExpression(term, mark));
  const all = terms.length === 1 ? `${terms[0]}` : `(${terms.join(' AND ')})`;
  // Everywhere needs no filter, which is quicker: no token of the column of marks is ever a term.
  return mark !== '' || clause.fields.length === everywhere.length ? all : `({${clause.fields.join(' ')}} : ${all})`;
}

function termExpression(term: Term, mark: string): string {
  if (term.kind === 'word') return `"${mark}${term.token}"`;
  return `"${term.tokens.map((token) => mark + token).join(' ')}"${term.open ? ' *' : ''}`;
}

/** What of `match` is in the tier of that number and in none before it; past the last tier, what is in none. */
export function tierExpression(match: string, tiers: readonly Clause[], number: number): string {
  const tier = tiers[number];
  const before = tiers.slice(0, number).map(clauseExpression);
  const inside = tier ? `(${match} AND ${clauseExpression(tier)})` : `(${match})`;
  return before.length === 0 ? inside : `${inside} NOT (${before.join(' OR ')})`;
}
