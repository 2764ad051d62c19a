const SEGMENT = 8192;

/**
 * Every distinct text of a workbook once, known to cells by a small number. An open-addressed table of 4-byte slots
 * instead of a Map keeps short unique strings under 50 bytes each.
 */
export class Strings {
  private readonly segments: string[][] = [];
  private slots = new Int32Array(64).fill(-1);
  private hashes = new Int32Array(32);
  private free: number[] = [];
  private next = 0;
  /** Distinct texts held. */
  size = 0;

  get(id: number): string {
    return this.segments[id >>> 13]?.[id & (SEGMENT - 1)] ?? '';
  }

  /** The number of `text`, given to it at its first use. */
  intern(text: string): number {
    const hash = hashOf(text);
    let mask = this.slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const id = this.slots[slot] as number;
      if (id < 0) break;
      if (this.hashes[id] === hash && this.get(id) === text) return id;
      slot = (slot + 1) & mask;
    }
    if ((this.size + 1) * 4 > this.slots.length * 3) {
      this.grow();
      mask = this.slots.length - 1;
      slot = hash & mask;
      while ((this.slots[slot] as number) >= 0) slot = (slot + 1) & mask;
    }
    const id = this.free.pop() ?? this.next++;
    let segment = this.segments[id >>> 13];
    if (!segment) {
      segment = [];
      this.segments[id >>> 13] = segment;
    }
    segment[id & (SEGMENT - 1)] = text;
    if (id >= this.hashes.length) {
      const wider = new Int32Array(Math.ceil(this.hashes.length * 1.5));
      wider.set(this.hashes);
      this.hashes = wider;
    }
    this.hashes[id] = hash;
    this.slots[slot] = id;
    this.size++;
    return id;
  }

  /** Forgets every text whose number is not in `used`. */
  sweep(used: (id: number) => boolean): void {
    this.free = [];
    this.size = 0;
    this.slots.fill(-1);
    const mask = this.slots.length - 1;
    for (let id = this.next - 1; id >= 0; id--) {
      const segment = this.segments[id >>> 13];
      if (!segment) continue;
      if (!used(id)) {
        segment[id & (SEGMENT - 1)] = '';
        this.free.push(id);
        continue;
      }
      let slot = (this.hashes[id] as number) & mask;
      while ((this.slots[slot] as number) >= 0) slot = (slot + 1) & mask;
      this.slots[slot] = id;
      this.size++;
    }
  }

  private grow(): void {
    const old = this.slots;
    this.slots = new Int32Array(old.length * 2).fill(-1);
    const mask = this.slots.length - 1;
    for (const id of old) {
      if (id < 0) continue;
      let slot = (this.hashes[id] as number) & mask;
      while ((this.slots[slot] as number) >= 0) slot = (slot + 1) & mask;
      this.slots[slot] = id;
    }
  }
}

function hashOf(text: string): number {
  let hash = text.length;
  // Long texts are sampled at both ends: equality is checked anyway.
  const step = text.length <= 64 ? text.length : 32;
  for (let i = 0; i < step; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  if (step < text.length) for (let i = text.length - 32; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) & 0x7fffffff;
}
