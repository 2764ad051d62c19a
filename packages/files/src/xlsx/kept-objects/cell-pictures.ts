import type { KeptBook, KeptPart, SheetDocument, SubSheet } from '@sheaf/engine/internal/document';
import { readRange } from '@sheaf/engine';
import { imageMime } from '../image-mime.ts';
import { fingerprint } from '../passthrough/fingerprint.ts';
import { childrenNamed, descendantsOf, localNameOf, parseXml, textOf, type XmlElement } from '../xml-tree.ts';
import { keptBytes, keptText } from './kept-bytes.ts';

/** A picture or other rich value that a cell displays instead of its plain value. */
export interface CellPicture {
  readonly row: number;
  readonly col: number;
  /**
   * Alternative text of the picture. For a rich value without a picture, such as a linked data type, the displayed
   * text.
   */
  readonly text: string;
  /** Key of the picture's part, which several cells may share; undefined if there is no picture. */
  readonly part: string | undefined;
}

const maxPictures = 5000;
const scannedRows = 1000;

/**
 * Returns the pictures and other rich values in the cells of a sub-sheet. A cell whose value changed after the import
 * has none.
 */
export function cellPictures(document: SheetDocument, sub: SubSheet): CellPicture[] {
  const { kept } = document;
  if (!kept) return [];
  const found: CellPicture[] = [];
  const values = sub.carried.filter(({ kind }) => kind === 'richValue');
  if (values.length > 0 && kept.metadata !== undefined) {
    const valueAt = richValues(kept, kept.metadata);
    for (const { text, regions } of values) {
      const [row = 0, col = 0] = regions?.[0] ?? [];
      const said = kept.texts[text];
      const value = valueAt(Number(said?.pieces?.[0] ?? 0));
      if (value && said?.read === fingerprint(document.value(sub, row, col))) found.push({ row, col, ...value });
    }
  }
  return [...found, ...formulaPictures(document, sub, kept)].slice(0, maxPictures);
}

/**
 * Returns the pictures as data URLs by part key. Pictures of types that browsers cannot show, and those beyond the
 * total size `maxBytes`, are left out.
 */
export function pictureAddresses(
  document: SheetDocument,
  parts: Iterable<string>,
  maxBytes: number,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  let left = maxBytes;
  for (const part of new Set(parts)) {
    const bytes = left > 0 ? keptBytes(document.kept?.parts[part], left) : undefined;
    const mime = bytes && imageMime(bytes);
    if (!bytes || !mime) continue;
    left -= bytes.length;
    found.set(part, `data:${mime};base64,${Buffer.from(bytes).toString('base64')}`);
  }
  return found;
}

function partOf({ workbook, parts }: KeptBook, kind: string): KeptPart | undefined {
  const key = workbook.find(({ type }) => type.slice(type.lastIndexOf('/') + 1) === kind)?.part;
  return key === undefined ? undefined : parts[key];
}

function rootOf(part: KeptPart | undefined): XmlElement | undefined {
  const xml = keptText(part);
  return xml === '' ? undefined : parseXml(xml, part?.path ?? '');
}

function targetOf(part: KeptPart | undefined, id: string | undefined): string | undefined {
  return part?.relations?.find(([one]) => one === id)?.[1].part;
}

function namedIn(element: XmlElement | undefined, name: string): XmlElement[] {
  return element ? [...descendantsOf(element)].filter(({ tag }) => localNameOf(tag) === name) : [];
}

/** Returns the attribute with this local name, in any namespace. */
function attributeOf(element: XmlElement | undefined, name: string): string | undefined {
  return [...(element?.attributes ?? [])].find(([key]) => localNameOf(key) === name)?.[1];
}

type RichValue = Pick<CellPicture, 'text' | 'part'>;

/**
 * Returns a function that resolves a cell's value metadata number to its rich value. The lookup follows indexes from
 * the metadata entry to the value, its structure with the field names, and the relationship to the picture.
 */
function richValues(kept: KeptBook, metadata: string): (number: number) => RichValue | undefined {
  const root = parseXml(metadata, 'the metadata');
  const types = namedIn(root, 'metadataType').map(({ attributes }) => attributes.get('name'));
  const entriesOf = (list: XmlElement | undefined): XmlElement[] => (list ? childrenNamed(list, 'bk') : []);
  const cells = entriesOf(namedIn(root, 'valueMetadata')[0]);
  const future = namedIn(root, 'futureMetadata').find(({ attributes }) => attributes.get('name') === 'XLRICHVALUE');
  const entries = entriesOf(future);
  const values = namedIn(rootOf(partOf(kept, 'rdRichValue')), 'rv');
  const structures = namedIn(rootOf(partOf(kept, 'rdRichValueStructure')), 's');
  const pictures = partOf(kept, 'richValueRel');
  const relations = namedIn(rootOf(pictures), 'rel');
  return (number) => {
    const entry = cells[number - 1] && namedIn(cells[number - 1], 'rc')[0];
    if (!entry || types[Number(entry.attributes.get('t')) - 1] !== 'XLRICHVALUE') return undefined;
    const [place] = namedIn(entries[Number(entry.attributes.get('v'))], 'rvb');
    const value = values[Number(place?.attributes.get('i') ?? -1)];
    const structure = structures[Number(value?.attributes.get('s') ?? -1)];
    if (!value || !structure) return undefined;
    const names = childrenNamed(structure, 'k').map(({ attributes }) => attributes.get('n'));
    const fields = childrenNamed(value, 'v').map(textOf);
    const field = (name: string): string | undefined => {
      const at = names.indexOf(name);
      return at < 0 ? undefined : fields[at];
    };
    const picture = field('_rvRel:LocalImageIdentifier');
    const part = picture === undefined ? undefined : targetOf(pictures, attributeOf(relations[Number(picture)], 'id'));
    const text = field('Text') ?? field('_DisplayString') ?? '';
    return part === undefined && text === '' ? undefined : { text, part };
  };
}

/** Returns the pictures of formulas such as `DISPIMG("ID_1",1)`, by which some programs store pictures in cells. */
function formulaPictures(document: SheetDocument, sub: SubSheet, kept: KeptBook): CellPicture[] {
  const list = partOf(kept, 'cellImage');
  const used = list && document.usedRange(sub);
  if (!used) return [];
  const pictures = new Map(
    namedIn(rootOf(list), 'cellImage').map((one) => {
      const [named] = namedIn(one, 'cNvPr');
      const part = targetOf(list, attributeOf(namedIn(one, 'blip')[0], 'embed'));
      return [named?.attributes.get('name') ?? '', { text: named?.attributes.get('descr') ?? '', part }] as const;
    }),
  );
  const found: CellPicture[] = [];
  const { left, bottom, right } = used;
  for (let top = used.top; top <= bottom && found.length < maxPictures; top += scannedRows) {
    const end = Math.min(bottom, top + scannedRows - 1);
    for (const { row, col, formula } of readRange(document.workbook, sub.sheet, top, left, end, right)) {
      const name = formula === undefined ? undefined : /^=?(?:_xlfn\.)?DISPIMG\("([^"]+)"/i.exec(formula)?.[1];
      const picture = name === undefined ? undefined : pictures.get(name);
      if (picture) found.push({ row, col, ...picture });
    }
  }
  return found;
}
