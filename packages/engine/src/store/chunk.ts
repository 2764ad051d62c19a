/** Codes for the value types of stored cells, used in `Chunk.tags`. */
export const blankTag = 0;
export const numberTag = 1;
export const textTag = 2;
export const logicalTag = 3;
export const errorTag = 4;

/** Value in `Chunk.formulas` for a cell that the array formula of another cell filled (spilled into). */
export const spilledMark = -1;

/** Value in `Chunk.formulas` for a cell that a pivot table filled. */
export const pivotMark = -2;

/** Maximum number of rows of a band, which is a block of consecutive rows. */
export const bandRows = 1024;

const noTags = new Uint8Array(0);
const noNums = new Float64Array(0);

/**
 * The cells of one column within a band (a block of consecutive rows). The arrays end at the last written row, so short
 * columns stay small. `tags` holds the type of each value. `nums` holds the number, the id of a text, 0 or 1 for a
 * boolean, or the code of an error.
 */
export class Chunk {
  tags: Uint8Array;
  nums: Float64Array;
  /**
   * For each row the id of its formula's template, `spilledMark`, `pivotMark`, or 0 for none of these; undefined if the
   * chunk has no formulas.
   */
  formulas: Int32Array | undefined;
  /** For each row a style id, or 0 for no style; undefined if the chunk has no styles. */
  styles: Int32Array | undefined;

  constructor(rows: number) {
    this.tags = rows === 0 ? noTags : new Uint8Array(rows);
    this.nums = rows === 0 ? noNums : new Float64Array(rows);
    this.formulas = undefined;
    this.styles = undefined;
  }

  get rows(): number {
    return this.tags.length;
  }

  /**
   * Grows the arrays to hold row `index` of the chunk. They at least double each time, but get no longer than the
   * band's `height` unless `index` requires it.
   */
  ensure(index: number, height: number): void {
    if (index < this.tags.length) return;
    const rows = Math.min(Math.max(index + 1, this.tags.length * 2, 8), Math.max(height, index + 1));
    this.resize(rows);
  }

  resize(rows: number): void {
    const keep = Math.min(rows, this.tags.length);
    const tags = new Uint8Array(rows);
    const nums = new Float64Array(rows);
    tags.set(this.tags.subarray(0, keep));
    nums.set(this.nums.subarray(0, keep));
    this.tags = tags;
    this.nums = nums;
    if (this.formulas) {
      const formulas = new Int32Array(rows);
      formulas.set(this.formulas.subarray(0, keep));
      this.formulas = formulas;
    }
    if (this.styles) {
      const styles = new Int32Array(rows);
      styles.set(this.styles.subarray(0, keep));
      this.styles = styles;
    }
  }

  needFormulas(): Int32Array {
    this.formulas ??= new Int32Array(this.tags.length);
    return this.formulas;
  }

  needStyles(): Int32Array {
    this.styles ??= new Int32Array(this.tags.length);
    return this.styles;
  }

  /** Returns a new chunk with a copy of rows `[from, to)` of this chunk; undefined if these rows are empty. */
  slice(from: number, to: number): Chunk | undefined {
    const end = Math.min(to, this.tags.length);
    if (end <= from) return undefined;
    const part = new Chunk(0);
    part.tags = this.tags.slice(from, end);
    part.nums = this.nums.slice(from, end);
    part.formulas = this.formulas?.slice(from, end);
    part.styles = this.styles?.slice(from, end);
    return part.isEmpty() ? undefined : part;
  }

  isEmpty(): boolean {
    for (const tag of this.tags) if (tag !== blankTag) return false;
    if (this.formulas) for (const id of this.formulas) if (id !== 0) return false;
    if (this.styles) for (const id of this.styles) if (id !== 0) return false;
    return true;
  }

  /** Returns the index within the chunk of the last row with a value, formula or style, or -1 if the chunk is empty. */
  lastRow(): number {
    for (let i = this.tags.length - 1; i >= 0; i--) {
      if (
        this.tags[i] !== blankTag ||
        (this.formulas && this.formulas[i] !== 0) ||
        (this.styles && this.styles[i] !== 0)
      )
        return i;
    }
    return -1;
  }
}

/** A block of consecutive rows, with one chunk per column. */
export class Band {
  start: number;
  height: number;
  chunks: (Chunk | undefined)[];

  constructor(start: number, height: number) {
    this.start = start;
    this.height = height;
    this.chunks = [];
  }

  chunk(col: number, index: number): Chunk {
    let chunk = this.chunks[col];
    if (!chunk) {
      chunk = new Chunk(0);
      while (this.chunks.length < col) this.chunks.push(undefined);
      this.chunks[col] = chunk;
    }
    chunk.ensure(index, this.height);
    return chunk;
  }

  /**
   * Uses `chunk` itself, without copying, as the cells of a column in this band (block of rows). If the column already
   * has cells in this band, changes nothing and returns false.
   */
  adopt(col: number, chunk: Chunk): boolean {
    if (this.chunks[col]) return false;
    while (this.chunks.length < col) this.chunks.push(undefined);
    this.chunks[col] = chunk;
    return true;
  }

  /**
   * Splits this band (block of rows) before its row `index`, counted from 0 at the band's top. Returns the lower part.
   */
  split(index: number): Band {
    const lower = new Band(this.start + index, this.height - index);
    for (let col = 0; col < this.chunks.length; col++) {
      const chunk = this.chunks[col];
      lower.chunks.push(chunk?.slice(index, this.height));
      if (chunk && chunk.rows > index) this.chunks[col] = chunk.slice(0, index);
    }
    this.height = index;
    return lower;
  }

  append(lower: Band): void {
    for (let col = 0; col < lower.chunks.length; col++) {
      const below = lower.chunks[col];
      if (!below) continue;
      const own = this.chunk(col, this.height - 1);
      own.resize(this.height + below.rows);
      own.tags.set(below.tags, this.height);
      own.nums.set(below.nums, this.height);
      if (below.formulas) own.needFormulas().set(below.formulas, this.height);
      if (below.styles) own.needStyles().set(below.styles, this.height);
    }
    this.height += lower.height;
  }
}
