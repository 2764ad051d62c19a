import type { KeptLook, KeptStyle, Style } from '@sheaf/engine/internal/document';
import { unprefixedAttributesXml, mainNamespace } from '../xml-escape.ts';
import { childrenNamed, localNameOf, parseXml, printXml, type XmlElement } from '../xml-tree.ts';

/** Content of an XLSX file's styles part that the import stores, mostly as XML, so that an export can write it back. */
export interface StylePassthrough {
  readonly font: Style | undefined;
  readonly named: readonly NamedStyle[];
  /**
   * Names of the named styles, except Normal, by index of their base format. Cell formats contain this index as `xfId`.
   */
  readonly nameOf: ReadonlyMap<number, string>;
  /** XML of the differential formats (`dxf` elements), by index. */
  readonly formats: readonly string[];
  /** XML of the pattern and gradient fills, by index. Empty and solid fills are missing. */
  readonly fills: ReadonlyMap<number, string>;
  readonly elements: Readonly<Record<string, string>>;
  /** XML of the cell formats, by index. */
  readonly looks: readonly CellFormatXml[];
}

/** A named style with the XML of its cell format, font, fill and border. */
export type NamedStyle = KeptStyle & Readonly<Record<'look' | 'font' | 'fill' | 'border', string>>;

/**
 * A cell format as read from the file. Unlike `KeptLook`, it contains the XML of its font, fill and border instead of
 * their numbers in `KeptBook.words`. It does not contain the style that the import reads from the format.
 */
export type CellFormatXml = Omit<KeptLook, 'style' | 'font' | 'fill' | 'border'> &
  Readonly<Record<'font' | 'fill' | 'border', string>>;

/** Maximum number of named styles. Each needs a cell format, and Excel allows this many cell formats. */
const maxNamed = 65_490;
const plainFills = new Set(['none', 'solid']);
const passthroughElements = ['tableStyles', 'colors', 'extLst'];
/**
 * Attributes that are indexes into other lists of the same file. They are not stored, because an exported file has
 * other indexes.
 */
const indexAttributes = ['numFmtId', 'fontId', 'fillId', 'borderId', 'xfId'];

export function readStylePassthrough(xml: string, usualFont: Style | undefined): StylePassthrough | undefined {
  const root = parseXml(xml, 'styles');
  if (!root) return undefined;
  const print = (one: XmlElement): string => printXml(one, mainNamespace);
  const entries = (list: string, item: string): XmlElement[] =>
    childrenNamed(root, list).flatMap((one) => childrenNamed(one, item));
  const fonts = entries('fonts', 'font');
  const fills = entries('fills', 'fill');
  const borders = entries('borders', 'border');
  const formats = new Map(
    entries('numFmts', 'numFmt').map(({ attributes }) => [
      attributes.get('numFmtId'),
      attributes.get('formatCode') ?? '',
    ]),
  );
  const bases = entries('cellStyleXfs', 'xf');
  const named: NamedStyle[] = [];
  const nameOf = new Map<number, string>();
  const bound = new Set<number>();
  for (const one of entries('cellStyles', 'cellStyle').slice(0, maxNamed)) {
    const name = one.attributes.get('name') ?? '';
    const number = Number(one.attributes.get('xfId'));
    const base = bases[number];
    if (!base || name === '' || bound.has(number)) continue;
    if (!isNormalStyle(one.attributes.get('builtinId'))) nameOf.set(number, name);
    bound.add(number);
    const piece = (list: readonly XmlElement[], key: string): string => {
      const found = list[Number(base.attributes.get(key) ?? 0)];
      return found ? print(found) : '';
    };
    const format = base.attributes.get('numFmtId') ?? '0';
    named.push({
      name,
      attributes: unprefixedAttributesXml(one.attributes, ['name', 'xfId']),
      look: insideOf(base),
      font: piece(fonts, 'fontId'),
      fill: piece(fills, 'fillId'),
      border: piece(borders, 'borderId'),
      ...(format === '0' ? {} : { format: formats.get(format) ?? format }),
    });
  }
  const printed = (list: readonly XmlElement[]): string[] => list.map(print);
  const pieces = { font: printed(fonts), fill: printed(fills), border: printed(borders) };
  const lookOf = (look: XmlElement): CellFormatXml => {
    const number = look.attributes.get('numFmtId') ?? '0';
    const inner = (tag: string): string => childrenNamed(look, tag).map(print)[0] ?? '';
    const alignment = inner('alignment');
    const protection = inner('protection');
    return {
      attributes: unprefixedAttributesXml(look.attributes, indexAttributes),
      ...(alignment === '' ? {} : { alignment }),
      ...(protection === '' ? {} : { protection }),
      font: pieces.font[Number(look.attributes.get('fontId') ?? 0)] ?? '',
      fill: pieces.fill[Number(look.attributes.get('fillId') ?? 0)] ?? '',
      border: pieces.border[Number(look.attributes.get('borderId') ?? 0)] ?? '',
      ...(number === '0' && !formats.get(number) ? {} : { format: formats.get(number) ?? (Number(number) || 0) }),
    };
  };
  return {
    font: usualFont,
    named,
    nameOf,
    formats: entries('dxfs', 'dxf').map(print),
    looks: entries('cellXfs', 'xf').map(lookOf),
    fills: new Map(
      fills.flatMap((fill, number) => {
        const [pattern] = childrenNamed(fill, 'patternFill');
        const kind = pattern?.attributes.get('patternType') ?? 'none';
        const isPlain = pattern ? plainFills.has(kind) : childrenNamed(fill, 'gradientFill').length === 0;
        // Omit empty and solid fills, because documents represent them without XML. The pattern gray125, which is the
        // second fill of every file, is stored like other patterns.
        return isPlain ? [] : [[number, print(fill)] as const];
      }),
    ),
    elements: Object.fromEntries(
      root.children.flatMap((one) =>
        typeof one !== 'string' && passthroughElements.includes(localNameOf(one.tag))
          ? [[localNameOf(one.tag), print(one)] as const]
          : [],
      ),
    ),
  };
}

/**
 * Returns whether the id of a built-in style is that of the style Normal. Ids are compared because the names of
 * built-in styles depend on the language.
 */
function isNormalStyle(builtIn: string | undefined): boolean {
  return builtIn === '0';
}

/**
 * Returns the attributes of a cell format without indexes into other lists, then `>`, then the XML of its child
 * elements.
 */
function insideOf(look: XmlElement): string {
  const inside = look.children.map((one) => (typeof one === 'string' ? '' : printXml(one, mainNamespace))).join('');
  return `${unprefixedAttributesXml(look.attributes, indexAttributes)}>${inside}`;
}
