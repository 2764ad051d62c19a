/**
 * What waits for a place, in turn among callers: whoever sends much waits behind whoever sends little, and nobody holds more
 * places at a time than a share.
 */
export class FairQueue<Item> {
  readonly #share: number;
  /** Who comes first has the next turn. */
  readonly #waiting = new Map<string, Item[]>();
  readonly #held = new Map<string, number>();

  constructor(share: number) {
    this.#share = share;
  }

  get length(): number {
    let length = 0;
    for (const items of this.#waiting.values()) length += items.length;
    return length;
  }

  push(caller: string, item: Item): void {
    const items = this.#waiting.get(caller);
    if (items) items.push(item);
    else this.#waiting.set(caller, [item]);
  }

  /** The next one that may begin. It holds a place until `done`. */
  take(fits: (item: Item) => boolean = () => true): { caller: string; item: Item } | undefined {
    for (const [caller, items] of this.#waiting) {
      const held = this.#held.get(caller) ?? 0;
      if (held >= this.#share || !fits(items[0]!)) continue;
      const item = items.shift()!;
      this.#waiting.delete(caller);
      if (items.length > 0) this.#waiting.set(caller, items);
      this.#held.set(caller, held + 1);
      return { caller, item };
    }
    return undefined;
  }

  done(caller: string): void {
    const held = (this.#held.get(caller) ?? 1) - 1;
    if (held > 0) this.#held.set(caller, held);
    else this.#held.delete(caller);
  }

  /** Takes all that waits, for nothing more begins. */
  clear(): Item[] {
    const items = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    return items;
  }
}
