/** Remembers ids, cursors and positions from responses by field name, so that later calls can use them. */
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

  /** Collects every value that looks like an id. */
  learn(answer: unknown): void {
    this.#walk(answer, '', 0, this.#texts);
    const { file_id: file, sheet_id: sheet } = (answer ?? {}) as Partial<SheetPlace>;
    if (typeof file === 'string' && typeof sheet === 'string') {
      this.#places.push({ file_id: file, sheet_id: sheet });
      if (this.#places.length > keptOfEach) this.#places.shift();
    }
  }

  /**
   * Collects ids of another user's objects, which calls also try. The names are excluded, because they must never appear in
   * a response.
   */
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

/** Normalizes field names: parent_folder_id accepts a folder_id, next_cursor becomes cursor, note_ids becomes note_id. */
function kindOf(field: string): string {
  return field
    .replace(/s$/, '')
    .replace(/^(parent|target|source|from|to|after|before|new|old)_/, '')
    .replace(/^next_/, '')
    .replace(/^doc_id$/, 'note_id');
}
