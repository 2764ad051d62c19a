/**
 * Adobe's numberings of Chinese, Japanese and Korean glyphs. This file maps their glyph numbers (CIDs) to characters,
 * for fonts without a map to Unicode. Most numbers follow the order of a national charset, which the platform can
 * decode. Only letters, kana, hangul and ideographs are covered.
 */
export type CharacterCollection = 'GB1' | 'CNS1' | 'Japan1' | 'Korea1';

/**
 * Consecutive glyph numbers of a PDF character collection, starting at `cid`: the characters from code `first` to
 * `last` of the collection's charset, or of Unicode.
 */
type Run = readonly [cid: number, first: number, last: number, charset?: 'unicode'];

interface Order {
  readonly charset: string;
  readonly runs: readonly Run[];
  /** Matches characters of the charset that are skipped when glyph numbers are assigned in the charset's order. */
  readonly without?: RegExp;
  /** Characters, by glyph number, that do not follow the order of the charset. */
  readonly moved?: ReadonlyMap<number, string>;
}

const latin = [0x20, 0x7e, 'unicode'] as const;

const orders: Readonly<Record<CharacterCollection, Order>> = {
  GB1: {
    charset: 'gb18030',
    runs: [
      [1, ...latin],
      [96, 0xa1a1, 0xa1fe],
      [190, 0xa2b1, 0xa2e2],
      [240, 0xa2e5, 0xa2ee],
      [250, 0xa2f1, 0xa2fc],
      [262, 0xa3a1, 0xa4f3],
      [439, 0xa5a1, 0xa5f6],
      [525, 0xa6a1, 0xa6b8],
      [549, 0xa6c1, 0xa6d8],
      [602, 0xa7a1, 0xa7c1],
      [635, 0xa7d1, 0xa7f1],
      [668, 0xa8a1, 0xa8ba],
      [700, 0xa8c5, 0xa8e9],
      [738, 0xa9a4, 0xa9ef],
      [814, 0x21, 0x7e, 'unicode'],
      [940, 0xb0a1, 0xd7f9],
      [4695, 0xd8a1, 0xf7fe],
    ],
  },
  CNS1: {
    charset: 'big5',
    runs: [
      [1, ...latin],
      [99, 0xa140, 0xa3bf],
      [595, 0xa440, 0xc67e],
      [5999, 0xc940, 0xf9d5],
      [13648, ...latin],
    ],
    // Skips the second copies of two ideographs that Big5 contains twice, for compatibility.
    without: /[\ufa0c\ufa0d]/u,
    moved: new Map([
      [2431, '耄'],
      [4308, '銬'],
      [5221, '薦'],
      [5495, '嚨'],
      [5550, '繳'],
      [5996, '乂'],
      [5997, '乜'],
      [5998, '凵'],
      [6039, '刉'],
      [6134, '攷'],
      [8142, '笻'],
      [8788, '筇'],
      [8889, '莚'],
      [10926, '錥'],
      [11073, '徻'],
      [11361, '螤'],
      [11719, '磿'],
      [12308, '鎀'],
      [12526, '舋'],
      [12640, '鎥'],
      [12783, '瀪'],
      [12900, '鐼'],
      [13585, '鬮'],
      [13641, '爩'],
    ]),
  },
  Japan1: {
    charset: 'euc-jp',
    runs: [
      [1, ...latin],
      [231, ...latin],
      [327, 0xff61, 0xff9f, 'unicode'],
      [633, 0xa1a1, 0xa7f1],
      [1125, 0xb0a1, 0xf4a4],
    ],
  },
  Korea1: {
    charset: 'euc-kr',
    runs: [
      [1, ...latin],
      [101, 0xa1a1, 0xacfe],
      [1086, 0xb0a1, 0xc8fe],
      [3436, 0xcaa1, 0xfdfe],
      [8094, ...latin],
    ],
    // Skips characters that the collection leaves out: the hangul filler, and ideographs that the charset contains
    // again for another reading.
    without: /[\u3164\uf900-\ufa0b]/u,
  },
};

/** Returns the characters of a CJK character collection of PDF, such as Adobe-GB1, by glyph number (CID). */
export function charactersByGlyphNumber(collection: CharacterCollection): Map<number, string> {
  const { charset, runs, without, moved = new Map<number, string>() } = orders[collection];
  const found = new Map(moved);
  const elsewhere = new Set(moved.values());
  for (const [start, first, last, kind] of runs) {
    let cid = start;
    for (const character of kind === 'unicode' ? unicodeRange(first, last) : charsetRange(charset, first, last)) {
      if (without?.test(character) || elsewhere.has(character)) continue;
      while (moved.has(cid)) cid++;
      found.set(cid++, character);
    }
  }
  return found;
}

function* unicodeRange(first: number, last: number): Generator<string> {
  for (let code = first; code <= last; code++) yield String.fromCodePoint(code);
}

/**
 * Yields the characters of a charset between two double-byte codes. The second byte starts at 0xa1, or at 0x40 in Big5.
 */
function* charsetRange(charset: string, first: number, last: number): Generator<string> {
  const decoder = new TextDecoder(charset);
  const lowest = charset === 'big5' ? 0x40 : 0xa1;
  for (let code = first; code <= last; code++) {
    const trail = code & 0xff;
    if (trail < lowest || trail === 0xff || (trail > 0x7e && trail < 0xa1)) continue;
    const text = decoder.decode(Uint8Array.of(code >> 8, trail));
    if ([...text].length === 1 && text !== '\ufffd') yield text;
  }
}
