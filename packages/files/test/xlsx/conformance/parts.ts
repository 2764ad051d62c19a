import { createHash } from 'node:crypto';
import { canonical, find, type Node, type RawBook, type RawSheet } from './book.ts';
import { mayDiffer } from './allowed-differences.ts';

/**
 * Compares a workbook with its export element by element and attribute by attribute, part by part along the
 * relationships. Indexes into lists of the file (styles, texts, formats of rules) are compared by what they point to.
 */
export interface PartLoss {
  /** The kind of element or attribute, such as `worksheet pageSetup@scale`. */
  readonly kind: string;
  readonly count: number;
  readonly example: string;
  /** Why it may differ; absent if it may not. */
  readonly reason?: string;
}

export interface PartReport {
  /** Number of kinds that the original has. */
  readonly kinds: number;
  readonly lost: readonly PartLoss[];
}

export type Inventory = Map<string, Map<string, number>>;

export function compareParts(before: RawBook, after: RawBook): PartReport {
  const had = inventoryOf(before);
  const has = inventoryOf(after, before);
  const lost = [...had].flatMap(([kind, values]): PartLoss[] => {
    const now = has.get(kind) ?? new Map<string, number>();
    const gone = [...values].filter(([value, count]) => (now.get(value) ?? 0) < count);
    if (gone.length === 0) return [];
    const gained = [...now].filter(([value, count]) => (values.get(value) ?? 0) < count).map(([value]) => value);
    const unexplained = gone.filter(([value]) => mayDiffer(kind, value, gained) === undefined);
    const [first] = (unexplained.length > 0 ? unexplained : gone)[0]!;
    const reason = unexplained.length > 0 ? undefined : mayDiffer(kind, first, gained);
    const example = `${first.slice(0, 160)} became ${gained[0]?.slice(0, 160) ?? 'nothing'}`;
    return [{ kind, count: unexplained.length || gone.length, example, ...(reason ? { reason } : {}) }];
  });
  return { kinds: had.size, lost };
}

/** Parts that are compared through the cells that refer to them, or that every program writes anew. */
const indexParts = new Set(['styles', 'sharedStrings', 'calcChain', 'sheetMetadata', 'externalLinkPath']);
/** Attributes that number things within one file. */
const fileNumbers = new Set([
  'uid',
  'Ignorable',
  'count',
  'uniqueCount',
  'id',
  'sheetId',
  'cacheId',
  'shapeId',
  'spid',
]);

/**
 * Counts what a book says, by kind. Looks are those in force at the cells that `asked` has, because an empty cell need not
 * be written where its row or column says the same.
 */
export function inventoryOf(book: RawBook, asked = book): Inventory {
  const found: Inventory = new Map();
  const add = (kind: string, value: string): void => {
    const values = found.get(kind) ?? new Map<string, number>();
    found.set(kind, values.set(value, (values.get(value) ?? 0) + 1));
  };
  const looks = looksOf(book);
  const sheets = new Map(book.sheets.map((sheet) => [sheet.part, sheet]));
  for (const [name, formats] of [['cellStyle', find(book.styles, 'cellStyles', 'cellStyle')] as const])
    for (const one of formats) add(`styles ${name}`, canonical(one, ['xfId']));
  for (const one of find(book.styles, 'tableStyles', 'tableStyle')) add('styles tableStyle', canonical(one, ['dxfId']));
  const seen = new Set<string>();
  const visit = (part: string, kind: string, owner: string): void => {
    if (seen.has(part)) return;
    seen.add(part);
    const sheet = sheets.get(part);
    const home = sheet ? sheet.name : owner;
    const wanted = sheet && asked.sheets.find(({ name }) => name === sheet.name);
    if (sheet) cellsOf(book, sheet, wanted ?? sheet, looks, add);
    if (!indexParts.has(kind)) contentOf(book, part, kind, home, sheet, add);
    for (const relation of book.relationsOf(part).values()) {
      if (indexParts.has(relation.kind)) continue;
      add(`relationship ${kind} to ${relation.kind}`, relation.external ? `${home}|${relation.target}` : home);
      if (!relation.external) visit(relation.target, relation.kind, home);
    }
  };
  for (const relation of book.relationsOf('').values())
    if (!relation.external) {
      add(`relationship package to ${relation.kind}`, '');
      visit(relation.target, relation.kind, '');
    }
  return found;
}

function contentOf(
  book: RawBook,
  part: string,
  kind: string,
  owner: string,
  sheet: RawSheet | undefined,
  add: (kind: string, value: string) => void,
): void {
  const bytes = book.bytes(part);
  if (!bytes) return;
  if (!/\.(?:xml|rels)$/i.test(part)) {
    add(
      `bytes of ${kind}`,
      `${owner}|${kind === 'vmlDrawing' ? '' : createHash('sha256').update(bytes).digest('hex')}`,
    );
    return;
  }
  const formats = find(book.styles, 'dxfs', 'dxf').map((one) => canonical(one));
  const walk = (node: Node): void => {
    if (node.name === 'definedName') {
      add(`${kind} definedName`, `${node.attributes['name'] ?? ''}|${node.text.replaceAll("'", '')}`);
      return;
    }
    // An element without attributes and content says nothing.
    if (node.children.length > 0 || node.text.trim() !== '' || Object.keys(node.attributes).length > 0)
      add(`${kind} ${node.name}`, owner);
    for (const [name, value] of Object.entries(node.attributes)) {
      if (name.startsWith('r:') || fileNumbers.has(name)) continue;
      const isFormat = /dxfId$/i.test(name);
      add(
        `${kind} ${node.name}@${name}`,
        `${owner}|${isFormat ? (formats[Number(value)] ?? value) : plainValue(value)}`,
      );
    }
    if (node.children.length === 0 && node.text.trim() !== '')
      add(`${kind} ${node.name} text`, `${owner}|${plainValue(node.text.trim())}`);
    node.children.forEach(walk);
  };
  walk(sheet?.root ?? book.tree(part));
}

/** Equal texts for values that mean the same in XML. */
function plainValue(value: string): string {
  if (value === 'true') return '1';
  if (value === 'false') return '0';
  return /^-?\d+\.\d+$/.test(value) ? String(Number(Number(value).toFixed(6))) : value;
}

interface Look {
  readonly [part: string]: string;
}

function looksOf({ styles }: RawBook): Look[] {
  const list = (name: string, item: string): string[] => find(styles, name, item).map((one) => canonical(one));
  const fonts = list('fonts', 'font');
  const fills = list('fills', 'fill');
  const borders = list('borders', 'border');
  const formats = new Map(
    find(styles, 'numFmts', 'numFmt').map(({ attributes }) => [attributes['numFmtId'], attributes['formatCode'] ?? '']),
  );
  const names = new Map(
    find(styles, 'cellStyles', 'cellStyle').map(({ attributes }) => [attributes['xfId'], attributes['name'] ?? '']),
  );
  return find(styles, 'cellXfs', 'xf').map((xf): Look => {
    const at = (name: string): number => Number(xf.attributes[name] ?? 0);
    const child = (name: string): string => find(xf, name).map((one) => canonical(one))[0] ?? '';
    const format = xf.attributes['numFmtId'] ?? '0';
    return {
      font: fonts[at('fontId')] ?? '',
      fill: fills[at('fillId')] ?? '',
      border: borders[at('borderId')] ?? '',
      format: formats.get(format) ?? format,
      style: names.get(xf.attributes['xfId'] ?? '0') ?? '',
      alignment: child('alignment'),
      protection: child('protection'),
      quotePrefix: plainValue(xf.attributes['quotePrefix'] ?? '0'),
    };
  });
}

/** Attributes of rows and cells that are compared by what they point to, or that only help programs to read faster. */
const rowNumbers = new Set(['r', 'spans', 's', 'customFormat', 'dyDescent']);

function cellsOf(
  book: RawBook,
  sheet: RawSheet,
  asked: RawSheet,
  looks: readonly Look[],
  add: (kind: string, value: string) => void,
): void {
  for (const [row, attributes] of sheet.rows)
    for (const [name, value] of Object.entries(attributes))
      if (!rowNumbers.has(name)) add(`row @${name}`, `${sheet.name}|${row}|${plainValue(value)}`);
  for (const ref of asked.cells.keys())
    for (const [part, value] of Object.entries(looks[book.lookAt(sheet, ref)] ?? {}))
      add(`cell ${part}`, `${sheet.name}!${ref}|${value}`);
  for (const cell of sheet.cells.values()) {
    const place = `${sheet.name}!${cell.ref}`;
    // A shared formula stands on one cell for all others, in either file.
    if (cell.formula !== undefined) add('cell formula', place);
    if (cell.formula !== undefined && !cell.isShared)
      add('cell formula text', `${place}|${cell.formula.replaceAll(/\s/g, '')}`);
    if (cell.formula !== undefined) continue;
    if (cell.value !== undefined && cell.value !== '') add('cell value', `${place}|${String(book.cached(cell))}`);
  }
}
