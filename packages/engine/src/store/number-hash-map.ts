/** Number of slots from which a hash table grows by a factor of 2 instead of 4. A slot takes 12 bytes. */
const large = 2 ** 18;

/**
 * Maps numbers to small non-negative integers. This open-addressed hash table is several times faster than a Map with
 * double keys.
 */
export class NumberHashMap {
  #keys = new Float64Array(64);
  #ids = new Int32Array(64).fill(-1);
  #size = 0;

  /** Returns the integer that a number maps to, or -1 if the number is not in the table. */
  get(key: number): number {
    const mask = this.#ids.length - 1;
    for (let slot = hashOf(key) & mask; ; slot = (slot + 1) & mask) {
      const id = this.#ids[slot] as number;
      if (id < 0 || this.#keys[slot] === key) return id;
    }
  }

  /** Returns the integer that is stored for a number. If there is none, stores `next` for it and returns `next`. */
  add(key: number, next: number): number {
    if ((this.#size + 1) * 2 > this.#ids.length) this.#grow();
    const keys = this.#keys;
    const ids = this.#ids;
    const mask = ids.length - 1;
    for (let slot = hashOf(key) & mask; ; slot = (slot + 1) & mask) {
      const id = ids[slot] as number;
      if (id >= 0) {
        if (keys[slot] === key) return id;
        continue;
      }
      keys[slot] = key;
      ids[slot] = next;
      this.#size++;
      return next;
    }
  }

  #put(key: number, id: number): void {
    const mask = this.#ids.length - 1;
    let slot = hashOf(key) & mask;
    while ((this.#ids[slot] as number) >= 0) slot = (slot + 1) & mask;
    this.#keys[slot] = key;
    this.#ids[slot] = id;
  }

  #grow(): void {
    const keys = this.#keys;
    const ids = this.#ids;
    // Growing rehashes every entry. Small tables grow by 4 to rehash less often, large ones by 2 to save memory.
    const size = keys.length * (keys.length < large ? 4 : 2);
    this.#keys = new Float64Array(size);
    this.#ids = new Int32Array(size).fill(-1);
    for (let slot = 0; slot < ids.length; slot++) {
      const id = ids[slot] as number;
      if (id >= 0) this.#put(keys[slot] as number, id);
    }
  }
}

const number = new Float64Array(1);
const words = new Int32Array(number.buffer);

function hashOf(key: number): number {
  number[0] = key + 0;
  let hash = Math.imul(words[0] as number, 0x9e3779b1) ^ Math.imul(words[1] as number, 0x85ebca6b);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 12)) >>> 0;
}
