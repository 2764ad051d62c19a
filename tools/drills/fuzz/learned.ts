/** What answers told: ids, cursors and places by the names of their fields, so that calls go on where others ended. */
import type { Chance } from '../../testing/chance.ts';

const keptOfEach = 40;
const deepest = 8;

export interface SheetPlace {
  readonly file_id: string;
  readonly sheet_id: string;
}

export class Learned {
  readonly #texts = new Map<string, string[]>();
  readonly #foreign = new Map<string, string[]>();
  readonly #places: SheetPlace[] = [];

  /** Takes everything that looks like a name of a thing. */
  learn(answer: unknown): void {
    this.#walk(answer, '', 0, this.#texts);
    const { file_id: file, sheet_id: sheet } = (answer ?? {}) as Partial<SheetPlace>;
    if (typeof file === 'string' && typeof sheet === 'string') {
      this.#places.push({ file_id: file, sheet_id: sheet });
      if (this.#places.length > keptOfEach) this.#places.shift();
    }
  }

  /** Ids of what belongs to somebody else: they are tried, too. Their names are what must never be seen. */
  learnForeign(answer: unknown): void {
    this.#walk(answer, '', 0, this.#foreign);
    this.#foreign.delete('name');
  }

  place(chance: Chance): SheetPlace | undefined {
    return this.#places.length === 0 ? undefined : chance.oneOf(this.#places);
  }

  text(field: string, chance: Chance): string | undefined {
    const kind = kindOf(field);
    const known = chance.happens(0.06) ? this.#foreign.get(kind) : this.#texts.get(kind);
    return known && known.length > 0 ? chance.oneOf(known) : undefined;
  }

  #walk(value: unknown, field: string, depth: number, into: Map<string, string[]>): void {
    if (depth > deepest) return;
    if (typeof value === 'string') {
      if (value === '' || value.length > 3000 || !/(_ids?|cursor|version|token|name)$/.test(field)) return;
      const kind = kindOf(field);
      const kept = into.get(kind) ?? [];
      kept.push(value);
      if (kept.length > keptOfEach) kept.shift();
      into.set(kind, kept);
    } else if (Array.isArray(value)) {
      for (const one of value.slice(0, 50)) this.#walk(one, field, depth + 1, into);
    } else if (value !== null && typeof value === 'object') {
      for (const [name, one] of Object.entries(value)) this.#walk(one, name, depth + 1, into);
    }
  }
}

/** parent_folder_id takes what folder_id gives, next_cursor goes into cursor, note_ids are note_id each. */
function kindOf(field: string): string {
  return field
    .replace(/s$/, '')
    .replace(/^(parent|target|source|from|to|after|before|new|old)_/, '')
    .replace(/^next_/, '')
    .replace(/^doc_id$/, 'note_id');
}
