import type { Term } from '../../lib/tokens.ts';
import type { Clause, Field } from './plan.ts';

/** Each token in `search_entry.tokens` begins with the letter of where it stands. */
export const titleLetter = 't';
export const contentLetter = 'c';

/** The token by which the index knows an owner; it holds no space whatever the owner's id is. */
export function ownerLexeme(space: string, owner: string): string {
  return `o${encodeURIComponent(space)}:${encodeURIComponent(owner)}`;
}

const lexemes = `string_to_array(tokens, ' ')`;

/** A WHERE clause and its values. */
export class Conditions {
  readonly values: unknown[] = [];
  readonly #parts: string[] = [];

  get sql(): string {
    return this.#parts.join(' AND ');
  }

  bind(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  ownedBy(space: string, owners: readonly string[]): void {
    this.#parts.push(`space = ${this.bind(space)}`, `owner = ANY(${this.bind([...owners])}::text[])`);
  }

  ownerLexemes(space: string, owners: readonly string[]): void {
    this.#holdsAny(owners.map((owner) => ownerLexeme(space, owner)));
  }

  match(clause: Clause): void {
    const letters = lettersOf(clause.fields);
    for (const term of clause.terms) {
      for (const token of indexedTokens(term)) this.#holdsAny(letters.map((letter) => letter + token));
      if (term.kind === 'phrase') this.#parts.push(this.#phrase(term, letters));
    }
  }

  /** Whether an entry that matches is in the tier, from the short columns where they are enough. */
  tier(clause: Clause): string {
    const checks = clause.terms.map((term) => {
      const [field] = clause.fields;
      if (clause.fields.length > 1 && term.kind === 'phrase') return this.#phrase(term, lettersOf(clause.fields));
      return `strpos(${field === 'title' ? 'title_tokens' : 'heading_tokens'}, ${this.bind(sequence(term, ''))}) > 0`;
    });
    return `(${checks.join(' AND ')})`;
  }

  #holdsAny(tokens: string[]): void {
    const [only] = tokens;
    const operator = tokens.length === 1 && only !== undefined ? '@>' : '&&';
    this.#parts.push(`${lexemes} ${operator} ${this.bind(tokens)}::text[]`);
  }

  #phrase(term: Term, letters: readonly string[]): string {
    return `(${letters.map((letter) => `strpos(tokens, ${this.bind(sequence(term, letter))}) > 0`).join(' OR ')})`;
  }
}

function lettersOf(fields: readonly Field[]): string[] {
  const letters: string[] = [];
  if (fields.includes('title')) letters.push(titleLetter);
  if (fields.includes('body') || fields.includes('headings')) letters.push(contentLetter);
  return letters;
}

/** The tokens the array index can look up: not the last of an open phrase, which is a beginning. */
function indexedTokens(term: Term): string[] {
  if (term.kind === 'word') return [term.token];
  return term.open ? term.tokens.slice(0, -1) : term.tokens;
}

/** The term as it stands in the stored tokens. */
function sequence(term: Term, letter: string): string {
  if (term.kind === 'word') return ` ${letter}${term.token} `;
  return ` ${term.tokens.map((token) => letter + token).join(' ')}${term.open ? '' : ' '}`;
}
