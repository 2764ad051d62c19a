/** Collects ids, cursors and positions from responses by field name, for use in later calls. */
import type { SeededRandom } from '../../testing/seeded-random.ts';

const maxIdsPerKind = 40;
const maxDepth = 8;

export interface SheetRef {
  readonly file_id: string;
  readonly sheet_id: string;
}

export class KnownIds {
  readonly #texts = new Map<string, string[]>();
  readonly #foreign = new Map<string, string[]>();
  readonly #sheets: SheetRef[] = [];

  /** Records the ids, cursors and positions in a response, so that later calls can use them. */
  collect(answer: unknown): void {
    this.#visit(answer, '', 0, this.#texts);
    const { file_id: file, sheet_id: sheet } = (answer ?? {}) as Partial<SheetRef>;
    if (typeof file === 'string' && typeof sheet === 'string') {
      this.#sheets.push({ file_id: file, sheet_id: sheet });
      if (this.#sheets.length > maxIdsPerKind) this.#sheets.shift();
    }
  }

  /**
   * Collects the ids of another user's objects for use in generated calls. Names are not collected, because the other
   * user's names must never appear in a response.
   */
  collectForeign(answer: unknown): void {
    this.#visit(answer, '', 0, this.#foreign);
    this.#foreign.delete('name');
  }

  sheet(chance: SeededRandom): SheetRef | undefined {
    return this.#sheets.length === 0 ? undefined : chance.oneOf(this.#sheets);
  }

  text(field: string, chance: SeededRandom): string | undefined {
    const kind = kindOf(field);
    const known = chance.happens(0.06) ? this.#foreign.get(kind) : this.#texts.get(kind);
    return known && known.length > 0 ? chance.oneOf(known) : undefined;
  }

  #visit(value: unknown, field: string, depth: number, into: Map<string, string[]>): void {
    if (depth > maxDepth) return;
    if (typeof value === 'string') {
      if (value === '' || value.length > 3000 || !/(_ids?|cursor|version|token|name)$/.test(field)) return;
      const kind = kindOf(field);
      const kept = into.get(kind) ?? [];
      kept.push(value);
      if (kept.length > maxIdsPerKind) kept.shift();
      into.set(kind, kept);
    } else if (Array.isArray(value)) {
      for (const one of value.slice(0, 50)) this.#visit(one, field, depth + 1, into);
    } else if (value !== null && typeof value === 'object') {
      for (const [name, one] of Object.entries(value)) this.#visit(one, name, depth + 1, into);
    }
  }
}

/**
 * Normalizes a field name: parent_folder_id becomes folder_id, next_cursor becomes cursor, note_ids becomes note_id.
 */
function kindOf(field: string): string {
  return field
    .replace(/s$/, '')
    .replace(/^(parent|target|source|from|to|after|before|new|old)_/, '')
    .replace(/^next_/, '')
    .replace(/^doc_id$/, 'note_id');
}
