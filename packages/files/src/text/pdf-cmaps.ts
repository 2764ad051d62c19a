import { charactersByGlyphNumber, type CharacterCollection } from './pdf-character-collections.ts';

/**
 * Charset from which a predefined CJK character map (CMap) of PDF is derived, instead of shipping megabytes of tables.
 * PDF maps a code to a glyph number (CID) and the CID to Unicode. Only text is extracted, so the derived maps use the
 * Unicode value as CID. `raise` means that codes in the PDF lack the highest bit of each byte.
 */
type Charset = { label: string; raise?: boolean };

const charsets: ReadonlyArray<readonly [RegExp, Charset]> = [
  [/^(?:GBK2K|GBKp?-EUC|GBK-EUC|GBpc-EUC|GB-EUC)/, { label: 'gb18030' }],
  [/^GB-[HV]$/, { label: 'gb18030', raise: true }],
  [/^(?:ETen-B5|B5pc|ETenms-B5|HKscs-B5)/, { label: 'big5' }],
  [/RKSJ-[HV]$/, { label: 'shift_jis' }],
  [/^EUC-[HV]$/, { label: 'euc-jp' }],
  [/^[HV]$/, { label: 'euc-jp', raise: true }],
  [/^(?:KSC-EUC|KSCms-UHC|KSCpc-EUC)/, { label: 'euc-kr' }],
  [/^KSC-[HV]$/, { label: 'euc-kr', raise: true }],
];

/**
 * Generates the predefined character maps that a PDF refers to by name. A generated map yields Unicode values in place
 * of glyph numbers (CIDs). Once a map was generated, the map from CIDs to Unicode returns every value unchanged.
 */
export class DerivedCMaps {
  readonly #derived = new Set<string>();

  source(name: string): string | undefined {
    const collection = /^Adobe-(GB1|CNS1|Japan1|Korea1)-UCS2$/.exec(name)?.[1];
    if (collection !== undefined) {
      // If no character map was generated, the glyph numbers (CIDs) of the PDF are those of Adobe's character
      // collection. Otherwise, they are Unicode values.
      return this.#derived.size > 0 ? identityToUnicode() : glyphsToUnicode(collection as CharacterCollection);
    }
    this.#derived.add(name);
    if (/-(?:UCS2|UTF16)(?:-HW)?-[HV]$/.test(name))
      return wrap('<0000> <ffff>', ['1 begincidrange\n<0000> <ffff> 0\nendcidrange']);
    const found = charsets.find(([pattern]) => pattern.test(name))?.[1];
    if (found !== undefined) return fromCharset(found);
    this.#derived.delete(name);
    return undefined;
  }
}

function wrap(codeSpace: string, sections: string[]): string {
  const space =
    codeSpace === '' ? '' : `${codeSpace.split('\n').length} begincodespacerange\n${codeSpace}\nendcodespacerange\n`;
  return `/CIDInit /ProcSet findresource begin\nbegincmap\n${space}${sections.join('\n')}\nendcmap\n`;
}

function identityToUnicode(): string {
  const ranges: string[] = [];
  for (let high = 0; high <= 0xff; high++) ranges.push(`<${hex(high, 2)}00> <${hex(high, 2)}ff> <${hex(high, 2)}00>`);
  return wrap('<0000> <ffff>', [`${ranges.length} beginbfrange\n${ranges.join('\n')}\nendbfrange`]);
}

function glyphsToUnicode(collection: CharacterCollection): string {
  const lines = [...charactersByGlyphNumber(collection)].map(
    ([cid, character]) => `<${hex(cid, 4)}> <${hex(character.codePointAt(0)!, 4)}>`,
  );
  return wrap('<0000> <ffff>', [`${lines.length} beginbfchar\n${lines.join('\n')}\nendbfchar`]);
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

function fromCharset({ label, raise = false }: Charset): string {
  const decoder = new TextDecoder(label, { fatal: true });
  const one = (bytes: number[]): number | undefined => {
    try {
      const text = decoder.decode(Uint8Array.from(bytes));
      return text.length === 1 ? text.charCodeAt(0) : undefined;
    } catch (error) {
      if (error instanceof TypeError) return undefined;
      throw error;
    }
  };
  const lines: string[] = [];
  const leads = new Set<number>();
  const lift = raise ? 0x80 : 0;
  for (let lead = raise ? 0x21 : 0x81; lead <= (raise ? 0x7e : 0xfe); lead++) {
    for (let trail = raise ? 0x21 : 0x40; trail <= (raise ? 0x7e : 0xfe); trail++) {
      const unicode = one([lead + lift, trail + lift]);
      if (unicode === undefined) continue;
      leads.add(lead);
      lines.push(`<${hex(lead, 2)}${hex(trail, 2)}> ${unicode}`);
    }
  }
  const single: string[] = [];
  if (!raise) {
    for (let code = 0x20; code <= 0xff; code++) {
      if (leads.has(code)) continue;
      const unicode = one([code]);
      if (unicode === undefined) continue;
      single.push(`<${hex(code, 2)}> <${hex(code, 2)}>`);
      lines.push(`<${hex(code, 2)}> ${unicode}`);
    }
  }
  const wide = [...leads].map(
    (lead) => `<${hex(lead, 2)}${raise ? '21' : '40'}> <${hex(lead, 2)}${raise ? '7e' : 'fe'}>`,
  );
  return wrap([...single, ...wide].join('\n'), [`${lines.length} begincidchar\n${lines.join('\n')}\nendcidchar`]);
}
