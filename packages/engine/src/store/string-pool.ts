const segmentSize = 8192;

/**
 * String pool of a workbook: each distinct text is stored once, and cells refer to it by id. An open-addressed hash
 * table (4 bytes per slot plus one hash byte per text) is used instead of a Map, so that short unique texts take under
 * 50 bytes each.
 */
export class StringPool {
  readonly #segments: (string | undefined)[][] = [];
  #slots = new Int32Array(64).fill(-1);
  #marks = new Uint8Array(64);
  #free: number[] = [];
  #next = 0;
  /**
   * `size` is the current number of distinct texts; `kept` is their number right after unused texts were last removed.
   * The growth since then shows when to remove them again.
   */
  size = 0;
  kept = 0;
  /**
   * `characters` is the current length of all texts together; `keptCharacters` is their length right after unused texts
   * were last removed. The growth since then shows when to remove them again.
   */
  characters = 0;
  keptCharacters = 0;

  get highest(): number {
    return this.#next - 1;
  }

  get(id: number): string {
    return this.#segments[id >>> 13]?.[id & (segmentSize - 1)] ?? '';
  }

  /** Returns the id of `text`, after adding the text to the pool if it is new. */
  intern(text: string): number {
    const hash = hashOf(text);
    const mark = hash & 255;
    let slot = this.#home(hash);
    for (;;) {
      const id = this.#slots[slot] as number;
      if (id < 0) break;
      if (this.#marks[id] === mark && this.get(id) === text) return id;
      if (++slot === this.#slots.length) slot = 0;
    }
    if ((this.size + 1) * 4 > this.#slots.length * 3) {
      this.#grow();
      slot = this.#vacant(hash);
    }
    const id = this.#free.pop() ?? this.#next++;
    let segment = this.#segments[id >>> 13];
    if (!segment) {
      // The first segment grows on demand, so that a small workbook stays small. Later segments are allocated at full
      // size.
      segment = id === 0 ? [] : Array.from<string | undefined>({ length: segmentSize });
      this.#segments[id >>> 13] = segment;
    }
    segment[id & (segmentSize - 1)] = text;
    if (id >= this.#marks.length) {
      const wider = new Uint8Array(Math.ceil(this.#marks.length * 1.5));
      wider.set(this.#marks);
      this.#marks = wider;
    }
    this.#marks[id] = mark;
    this.#slots[slot] = id;
    this.size++;
    this.characters += text.length;
    return id;
  }

  /** Removes every text for whose id `used` returns false. Removed ids may be reused. */
  sweep(used: (id: number) => boolean): void {
    this.#free = [];
    this.size = 0;
    this.characters = 0;
    this.#slots.fill(-1);
    for (let id = this.#next - 1; id >= 0; id--) {
      const segment = this.#segments[id >>> 13];
      if (!segment) continue;
      if (!used(id)) {
        segment[id & (segmentSize - 1)] = undefined;
        this.#free.push(id);
        continue;
      }
      const text = this.get(id);
      this.#slots[this.#vacant(hashOf(text))] = id;
      this.size++;
      this.characters += text.length;
    }
    this.kept = this.size;
    this.keptCharacters = this.characters;
  }

  #home(hash: number): number {
    return Math.floor((hash / 0x8000_0000) * this.#slots.length);
  }

  #vacant(hash: number): number {
    let slot = this.#home(hash);
    while ((this.#slots[slot] as number) >= 0) if (++slot === this.#slots.length) slot = 0;
    return slot;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Int32Array(Math.ceil(old.length * 1.5)).fill(-1);
    for (const id of old) if (id >= 0) this.#slots[this.#vacant(hashOf(this.get(id)))] = id;
  }
}

function hashOf(text: string): number {
  let hash = text.length;
  // To save time, only the first and last 32 characters of a long text are hashed. This is safe, because texts with
  // equal hashes are compared in full.
  const step = text.length <= 64 ? text.length : 32;
  for (let i = 0; i < step; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  if (step < text.length)
    for (let i = text.length - 32; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  hash ^= hash >>> 12;
  hash = Math.imul(hash, 0x297a2d39);
  return (hash ^ (hash >>> 15)) & 0x7fffffff;
}
