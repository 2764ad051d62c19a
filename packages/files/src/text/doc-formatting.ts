/** Formatting of a .doc file by byte offset: heading levels, tracked deletions, and pictures. */
export interface FormattingRanges {
  /** Returns the heading level of the text at this byte offset; 0 if it is no heading. */
  headings: (byteAt: number) => number;
  /** Returns 1 if the text at this byte offset is deleted, else 0. */
  deleted: (byteAt: number) => number;
  /** Offsets of the pictures in the data stream, in text order. */
  pictures: number[];
}

interface Range {
  from: number;
  to: number;
  value: number;
}

const pageSize = 512;
const sprmDeleted = 0x0800;
const sprmPictureLocation = 0x6a03;
const maxRanges = 500_000;

export function formattingRanges(main: Uint8Array, table: Uint8Array): FormattingRanges {
  return {
    headings: lookup(readPages(main, table, 0x102, paragraphLevel, 13)),
    deleted: lookup(readPages(main, table, 0xfa, isDeleted, 1)),
    pictures: readPages(main, table, 0xfa, pictureLocation, 1).map(({ value }) => value - 1),
  };
}

/**
 * Returns a function that gives the heading level of the text at a byte offset in a Word 6 or 95 document. These files
 * store text and formatting in one stream (`main`), and number the pages of formatting (512-byte blocks) with two
 * bytes.
 */
export function word95Headings(main: Uint8Array): (byteAt: number) => number {
  return lookup(readPages(main, main, 0xc0, paragraphLevel, 7, 2));
}

type PropertyReader = (page: DataView, slot: number) => number;

function readPages(
  main: Uint8Array,
  table: Uint8Array,
  fibAt: number,
  judge: PropertyReader,
  slotSize: number,
  numberSize: 2 | 4 = 4,
): Range[] {
  const fib = new DataView(main.buffer, main.byteOffset, main.byteLength);
  const directory = new DataView(table.buffer, table.byteOffset, table.byteLength);
  const at = fib.getUint32(fibAt, true);
  const length = fib.getUint32(fibAt + 4, true);
  const ranges: Range[] = [];
  if (length < 4 || at + length > table.length) return ranges;
  const count = Math.floor((length - 4) / (4 + numberSize));
  for (let index = 0; index < count && ranges.length < maxRanges; index++) {
    const place = at + (count + 1) * 4 + index * numberSize;
    const number = numberSize === 2 ? directory.getUint16(place, true) : directory.getUint32(place, true) & 0x3fffff;
    if ((number + 1) * pageSize > main.length) continue;
    const page = new DataView(main.buffer, main.byteOffset + number * pageSize, pageSize);
    const runs = page.getUint8(pageSize - 1);
    if ((runs + 1) * 4 + runs * slotSize > pageSize) continue;
    for (let run = 0; run < runs; run++) {
      const value = judge(page, page.getUint8((runs + 1) * 4 + run * slotSize) * 2);
      if (value > 0) ranges.push({ from: page.getUint32(run * 4, true), to: page.getUint32(run * 4 + 4, true), value });
    }
  }
  return ranges.toSorted((a, b) => a.from - b.from);
}

/**
 * Returns the heading level of a paragraph, 0 for none. `slot` is the offset of its formatting in `page`. In every .doc
 * file, styles 1 to 9 are the built-in headings.
 */
function paragraphLevel(page: DataView, slot: number): number {
  const wide = slot === 0 || slot + 4 > pageSize ? undefined : page.getUint8(slot) === 0;
  if (wide === undefined) return 0;
  const style = page.getUint16(slot + (wide ? 2 : 1), true);
  return style >= 1 && style <= 9 ? style : 0;
}

function isDeleted(page: DataView, slot: number): number {
  const at = propertyAt(page, slot, sprmDeleted);
  return at === undefined ? 0 : page.getUint8(at) & 1;
}

/**
 * Returns the offset, in the data stream, of the picture that a text run displays, plus one; 0 if the run displays no
 * picture.
 */
function pictureLocation(page: DataView, slot: number): number {
  const at = propertyAt(page, slot, sprmPictureLocation);
  return at === undefined || at + 4 > pageSize ? 0 : page.getUint32(at, true) + 1;
}

/**
 * Returns the offset in `page` of the value of the character property `wanted`, or undefined if the text run does not
 * set it. `slot` is the offset of the run's formatting in the page.
 */
function propertyAt(page: DataView, slot: number, wanted: number): number | undefined {
  if (slot === 0 || slot >= pageSize - 1) return undefined;
  const end = Math.min(slot + 1 + page.getUint8(slot), pageSize - 1);
  let at = slot + 1;
  while (at + 3 <= end) {
    const code = page.getUint16(at, true);
    if (code === wanted) return at + 2;
    const size = [1, 1, 2, 4, 2, 2, 0, 3][code >> 13]!;
    at += 2 + (size === 0 ? 1 + page.getUint8(at + 2) : size);
  }
  return undefined;
}

function lookup(ranges: Range[]): (byteAt: number) => number {
  if (ranges.length === 0) return () => 0;
  return (byteAt) => {
    let low = 0;
    let high = ranges.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const range = ranges[middle]!;
      if (byteAt < range.from) high = middle - 1;
      else if (byteAt >= range.to) low = middle + 1;
      else return range.value;
    }
    return 0;
  };
}
