import { yieldToEventLoop } from '../lib/event-loop.ts';
import { fail } from '../kernel/errors.ts';

/** Number of values checked before yielding to the event loop. Checking this many takes tens of milliseconds. */
const valuesAtOnce = 100_000;

/** Throws if a string contains NUL, which PostgreSQL cannot store, so that the caller gets a clear error. */
export function refuseNul(value: unknown): void {
  new NulScanner(value).go(Infinity);
}

/**
 * Throws as `refuseNul` does if a string contains NUL, but yields to the event loop in between. Used for large values.
 */
export async function refuseNulYielding(value: unknown): Promise<void> {
  const search = new NulScanner(value);
  while (!search.go(valuesAtOnce)) await yieldToEventLoop();
}

interface Level {
  readonly holder: object;
  /** Field names if `holder` is an object; undefined if it is an array. */
  readonly names: readonly string[] | undefined;
  readonly size: number;
  next: number;
}

class NulScanner {
  readonly #levels: Level[] = [];

  constructor(value: unknown) {
    this.#look(value);
  }

  /**
   * Searches up to `most` further values for NUL and throws if one contains it. Returns whether all values have been
   * searched.
   */
  go(most: number): boolean {
    for (let left = most; this.#levels.length > 0; left--) {
      if (left === 0) return false;
      const level = this.#levels.at(-1)!;
      if (level.next === level.size) {
        this.#levels.pop();
        continue;
      }
      const name = level.names?.[level.next] ?? level.next;
      if (typeof name === 'string' && name.includes('\0')) throw this.#refusal(this.#levels.slice(0, -1));
      level.next++;
      this.#look((level.holder as Record<string | number, unknown>)[name]);
    }
    return true;
  }

  #look(value: unknown): void {
    if (typeof value === 'string') {
      if (value.includes('\0')) throw this.#refusal(this.#levels);
    } else if (typeof value === 'object' && value !== null) {
      const names = Array.isArray(value) ? undefined : Object.keys(value);
      const size = names ? names.length : (value as unknown[]).length;
      this.#levels.push({ holder: value, names, size, next: 0 });
    }
  }

  #refusal(levels: readonly Level[]): Error {
    const path = levels.map(({ names, next }) => names?.[next - 1] ?? next - 1).join('.');
    return fail('invalid_parameter', `${path === '' ? 'the request' : path}: must not contain the NUL character`);
  }
}
