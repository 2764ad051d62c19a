/**
 * Counts of double-byte characters in a sample: `wide` counts all of them, each other field one kind. The score of an
 * East Asian charset is computed from these counts.
 */
interface CharsetScore {
  wide: number;
  common: number;
  kana: number;
  lowTrail: number;
  koreanLead: number;
}

const threshold = 0.6;

export function guessMultiByte(sample: Uint8Array, fits: (label: string) => boolean): string | undefined {
  let best: string | undefined;
  let bestScore = threshold;
  for (const [label, score] of scorers) {
    if (!fits(label)) continue;
    const value = score(sample);
    if (value > bestScore) [best, bestScore] = [label, value];
  }
  return best;
}

function scoreCharset(
  sample: Uint8Array,
  isLead: (byte: number) => boolean,
  isCommon: (lead: number, trail: number) => boolean,
  kana: (lead: number, trail: number) => boolean,
): CharsetScore {
  const found: CharsetScore = { wide: 0, common: 0, kana: 0, lowTrail: 0, koreanLead: 0 };
  for (let at = 0; at + 1 < sample.length; at++) {
    const lead = sample[at]!;
    if (lead < 0x80) continue;
    found.wide++;
    if (!isLead(lead)) continue;
    const trail = sample[++at]!;
    if (isCommon(lead, trail)) found.common++;
    if (kana(lead, trail)) found.kana++;
    if (trail < 0x80) found.lowTrail++;
    if (lead >= 0xb0 && lead <= 0xc8 && trail >= 0xa1) found.koreanLead++;
  }
  return found;
}

const within = (value: number, low: number, high: number): boolean => value >= low && value <= high;
const anyLead = (byte: number): boolean => byte >= 0x81 && byte !== 0xff;
const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
const eucKana = (lead: number, trail: number): boolean => (lead === 0xa4 || lead === 0xa5) && trail >= 0xa1;

/**
 * Scores how likely the sample is simplified Chinese in GB 2312. Common characters (level 1) and punctuation raise the
 * score; Japanese kana and byte pairs with a low second byte reduce it.
 */
function simplifiedChinese(sample: Uint8Array): number {
  const t = scoreCharset(
    sample,
    anyLead,
    (lead, trail) => trail >= 0xa1 && (within(lead, 0xb0, 0xd7) || lead === 0xa1 || lead === 0xa3),
    eucKana,
  );
  return share(t.common, t.wide) - share(t.kana, t.wide) - share(t.lowTrail, t.wide);
}

function korean(sample: Uint8Array): number {
  const t = scoreCharset(sample, anyLead, (lead, trail) => within(lead, 0xb0, 0xc8) && trail >= 0xa1, eucKana);
  const hangul = share(t.koreanLead, t.wide);
  // If almost all characters lie in the rows of the charset that hold Korean syllables, rank Korean above every other
  // charset. Fewer than six characters could lie in these rows by chance.
  return hangul > 0.93 && t.wide >= 6 ? 1.01 : hangul * 0.6;
}

function traditionalChinese(sample: Uint8Array): number {
  const t = scoreCharset(
    sample,
    anyLead,
    (lead, trail) => (within(lead, 0xa4, 0xc6) || lead === 0xa1) && (within(trail, 0x40, 0x7e) || trail >= 0xa1),
    () => false,
  );
  // In about 40% of Big5 characters the second byte is below 0x80; in GB 2312 and EUC it never is. Text with few such
  // characters is therefore unlikely to be Big5.
  return share(t.common, t.wide) * (share(t.lowTrail, t.wide) > 0.12 ? 1 : 0.55);
}

function japaneseShift(sample: Uint8Array): number {
  const isLead = (byte: number): boolean => within(byte, 0x81, 0x9f) || within(byte, 0xe0, 0xfc);
  const kana = (lead: number, trail: number): boolean =>
    (lead === 0x82 && within(trail, 0x9f, 0xf1)) || (lead === 0x83 && within(trail, 0x40, 0x96));
  const t = scoreCharset(
    sample,
    isLead,
    (lead, trail) => kana(lead, trail) || lead === 0x81 || within(lead, 0x88, 0x97),
    kana,
  );
  return share(t.kana, t.wide) > 0.08 ? share(t.common, t.wide) * 1.05 : share(t.common, t.wide) * 0.7;
}

function japaneseExtended(sample: Uint8Array): number {
  const t = scoreCharset(
    sample,
    anyLead,
    (lead, trail) => trail >= 0xa1 && (eucKana(lead, trail) || within(lead, 0xb0, 0xcf) || lead === 0xa1),
    eucKana,
  );
  return share(t.kana, t.wide) > 0.15 ? share(t.common, t.wide) : 0;
}

const scorers: ReadonlyArray<readonly [string, (sample: Uint8Array) => number]> = [
  ['gb18030', simplifiedChinese],
  ['big5', traditionalChinese],
  ['shift_jis', japaneseShift],
  ['euc-kr', korean],
  ['euc-jp', japaneseExtended],
];
