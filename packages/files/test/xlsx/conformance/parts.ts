import { createHash } from 'node:crypto';
import { strFromU8 } from 'fflate';
import { canonical, find, none, type Node, type RawBook, type RawRelation, type RawSheet } from './book.ts';
import { ignoredElements, ignoredParts, mayDiffer } from './allowed-differences.ts';
import { isDefault } from './schema-defaults.ts';

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
const indexParts = new Set(['styles', 'sharedStrings', 'calcChain', 'sheetMetadata']);
/** Parts that several sheets may share, so that they belong to none. */
const sharedParts = new Set(['image', 'pivotCacheDefinition', 'pivotCacheRecords']);
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
  for (const one of find(book.styles, 'cellStyles', 'cellStyle')) add('styles cellStyle', canonical(one, ['xfId']));
  for (const name of ['colors', 'extLst'])
    for (const one of find(book.styles, name).flatMap(({ children }) => children))
      add(`styles ${name}`, canonical(one, ['dxfId', 'count']));
  for (const one of find(book.styles, 'tableStyles', 'tableStyle')) add('styles tableStyle', canonical(one, ['dxfId']));
  const pivots = book.sheets.flatMap((sheet) => targetsOf(sheet.relations, 'pivotTable'));
  const usedCaches = new Set(pivots.flatMap((one) => targetsOf(book.relationsOf(one), 'pivotCacheDefinition')));
  const seen = new Set<string>();
  const visit = (part: string, kind: string, owner: string): void => {
    if (seen.has(part)) return;
    seen.add(part);
    const sheet = sheets.get(part);
    const home = sheet ? sheet.name : owner;
    const wanted = sheet && asked.sheets.find(({ name }) => name === sheet.name);
    if (sheet) cellsOf(book, sheet, wanted ?? sheet, looks, add);
    if (!indexParts.has(kind)) contentOf(book, part, kind, home, sheet, looks, add);
    for (const relation of book.relationsOf(part).values()) {
      if (indexParts.has(relation.kind) || ignoredParts.has(relation.kind)) continue;
      if (!relation.external && !book.bytes(relation.target)) continue;
      // A link is compared with its target; nothing shows a sheet that the workbook does not list, or an unused cache.
      if (relation.kind === 'hyperlink' || (relation.kind === 'worksheet' && !sheets.has(relation.target))) continue;
      if (relation.kind === 'pivotCacheDefinition' && !usedCaches.has(relation.target)) continue;
      add(`relationship ${kind} to ${relation.kind}`, relation.external ? `${home}|${relation.target}` : home);
      if (!relation.external) visit(relation.target, relation.kind, sharedParts.has(relation.kind) ? '' : home);
    }
  };
  for (const relation of book.relationsOf('').values())
    if (!relation.external && book.bytes(relation.target)) {
      add(`relationship package to ${relation.kind}`, '');
      visit(relation.target, relation.kind, '');
    }
  return found;
}

function targetsOf(relations: ReadonlyMap<string, RawRelation>, kind: string): string[] {
  return [...relations.values()].flatMap((one) => (one.kind === kind ? [one.target] : []));
}

type Add = (kind: string, value: string) => void;

function contentOf(
  book: RawBook,
  part: string,
  kind: string,
  owner: string,
  sheet: RawSheet | undefined,
  looks: readonly Look[],
  add: Add,
): void {
  const bytes = book.bytes(part);
  if (!bytes) return;
  if (/\.vml$/i.test(part)) return legacyShapes(strFromU8(bytes), owner, add);
  if (!/\.(?:xml|rels)$/i.test(part)) {
    add(`bytes of ${kind}`, `${owner}|${createHash('sha256').update(bytes).digest('hex')}`);
    return;
  }
  const root = sheet?.root ?? book.tree(part);
  const formats = find(book.styles, 'dxfs', 'dxf').map((one) => canonical(one));
  const authors = find(root, 'authors', 'author').map((one) => one.text);
  const valueOf = (name: string, value: string): string => {
    if (/dxfId$/i.test(name)) return formats[Number(value)] ?? value;
    if (name === 'authorId') return authors[Number(value)] ?? value;
    if (name === 'localSheetId') return book.sheets[Number(value)]?.name ?? value;
    return name === 'ref' || name === 'sqref' ? plainRange(value) : plainValue(value);
  };
  const walk = (node: Node): void => {
    if (ignoredElements.has(`${kind} ${node.name}`)) return;
    // A sheet without a part cannot be opened.
    if (node.name === 'sheet' && kind === 'officeDocument' && !book.relations.has(node.attributes['r:id'] ?? ''))
      return;
    // An element with alternatives only says which program understands them.
    if (node.name === 'AlternateContent' || node.name === 'Choice') return node.children.forEach(walk);
    if (node.name === 'cols') return columnsOf(node, owner, looks, add);
    const own = node.name === 'definedName' ? (node.attributes['name'] ?? '') : owner;
    // An element without attributes and content says nothing.
    const says = Object.keys(node.attributes).some((name) => name !== 'count');
    if (node.children.length > 0 || node.text.trim() !== '' || says) add(`${kind} ${node.name}`, own);
    if (node.name === 'hyperlink')
      add(
        `${kind} hyperlink target`,
        `${own}|${node.attributes['ref']}|${sheet?.relations.get(node.attributes['r:id'] ?? '')?.target ?? ''}`,
      );
    for (const [name, written] of Object.entries(node.attributes)) {
      const value = valueOf(name, written);
      if (name.startsWith('r:') || fileNumbers.has(name) || isDefault(node.name, name, value)) continue;
      add(`${kind} ${node.name}@${name}`, `${own}|${value}`);
    }
    const said = node.children.length === 0 ? plainValue(node.text.trim()) : '';
    const text = node.name === 'sqref' ? plainRange(said) : said;
    if (text !== '')
      add(`${kind} ${node.name} text`, `${own}|${node.name === 'definedName' ? text.replaceAll("'", '') : text}`);
    node.children.forEach(walk);
  };
  walk(root);
}

/** Counts columns by attribute, as ranges that have the same value however the file divides them into elements. */
function columnsOf(list: Node, owner: string, looks: readonly Look[], add: Add): void {
  const runs = new Map<string, [first: number, last: number, value: string][]>();
  const columns = list.children.map(({ attributes }) => attributes);
  for (const { min, max, style, ...rest } of columns.sort((a, b) => Number(a['min']) - Number(b['min']))) {
    const look = JSON.stringify(looks[Number(style ?? 0)] ?? {});
    const own = look === JSON.stringify(looks[0] ?? {}) ? {} : { style: look };
    for (const [name, written] of Object.entries({ ...rest, ...own })) {
      const value = plainValue(written);
      if (isDefault('col', name, value)) continue;
      const found = runs.get(name) ?? [];
      const last = found.at(-1);
      if (last && last[2] === value && last[1] === Number(min) - 1) last[1] = Number(max);
      else found.push([Number(min), Number(max), value]);
      runs.set(name, found);
    }
  }
  for (const [name, found] of runs)
    for (const [first, last, value] of found) add(`column @${name}`, `${owner}|${first}:${last}|${value}`);
}

/** Counts the shapes of a VML drawing, which need not be well-formed XML, and for notes their place and color. */
function legacyShapes(text: string, owner: string, add: Add): void {
  for (const [, type = ''] of text.matchAll(/ObjectType="(\w+)"/g)) add(`vmlDrawing ${type}`, owner);
  for (const [, color = ''] of text.matchAll(/<v:shape [^>]*fillcolor="([^" ]*)/g))
    add('vmlDrawing shape@fillcolor', `${owner}|${color}`);
  for (const [note] of text.matchAll(/<x:ClientData ObjectType="Note">.*?<\/x:ClientData>/gs)) {
    const at = (name: string): string => new RegExp(`<x:${name}>([^<]*)`).exec(note)?.[1]?.replaceAll(/\s/g, '') ?? '';
    const place = `${owner}|${at('Row')},${at('Column')}`;
    if (note.includes('<x:Visible')) add('vmlDrawing Visible', place);
    if (at('Anchor') !== '') add('vmlDrawing Anchor', `${place}|${at('Anchor')}`);
  }
}

/** Writes a range of one cell as the cell. */
function plainRange(value: string): string {
  return value.replaceAll(/(\$?[A-Z]+\$?\d+):\1(?!\d)/g, '$1');
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
    find(styles, 'cellStyles', 'cellStyle').flatMap(({ attributes }) =>
      attributes['builtinId'] === '0' ? [] : [[attributes['xfId'], attributes['name'] ?? ''] as const],
    ),
  );
  return find(styles, 'cellXfs', 'xf').map((xf): Look => {
    const at = (name: string): number => Number(xf.attributes[name] ?? 0);
    const child = (name: string): string => find(xf, name).map((one) => canonical(one))[0] ?? '';
    const format = xf.attributes['numFmtId'] ?? '0';
    return {
      font: fonts[at('fontId')] ?? fonts[0] ?? '',
      fill: fills[at('fillId')] ?? fills[0] ?? '',
      border: borders[at('borderId')] ?? borders[0] ?? '',
      // A format without a pattern is the general one too.
      format: ['General', ''].includes(formats.get(format) ?? format) ? '0' : (formats.get(format) ?? format),
      style: names.get(xf.attributes['xfId'] ?? '0') ?? '',
      alignment: child('alignment'),
      protection: child('protection'),
      quotePrefix: plainValue(xf.attributes['quotePrefix'] ?? '0'),
    };
  });
}

/** Attributes of rows that are compared by what they point to, or that only help programs to read faster. */
const rowNumbers = new Set(['r', 'spans', 's', 'customFormat', 'dyDescent']);
/** Attributes of formulas that are compared with the formula, or that say where a shared formula is written. */
const sharedFormula = new Set(['si']);

/** Replaces `_xHHHH_`, as which files may write any character of a text. */
function unescaped(text: string): string {
  return text.replaceAll(/_x([0-9A-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Returns whether a number format, given by its built-in number or its pattern, shows a day. */
function isDay(format: string): boolean {
  return /^\d+$/.test(format) ? /^(?:1[4-7]|22)$/.test(format) : /[dy]/i.test(format);
}

function cellsOf(book: RawBook, sheet: RawSheet, asked: RawSheet, looks: readonly Look[], add: Add): void {
  const counts1904 = find(book.workbook, 'workbookPr').some(({ attributes }) =>
    /^(?:1|true)$/.test(attributes['date1904'] ?? ''),
  );
  for (const [row, attributes] of sheet.rows)
    for (const [name, written] of Object.entries(attributes)) {
      const value = plainValue(written);
      if (!rowNumbers.has(name) && !isDefault('row', name, value)) add(`row @${name}`, `${sheet.name}|${row}|${value}`);
    }
  for (const ref of asked.cells.keys())
    for (const [part, value] of Object.entries(looks[book.lookAt(sheet, ref)] ?? {}))
      add(`cell ${part}`, `${sheet.name}!${ref}|${value}`);
  for (const cell of sheet.cells.values()) {
    const place = `${sheet.name}!${cell.ref}`;
    for (const name of ['ph', 'vm']) if (plainValue(cell.attributes[name] ?? '0') !== '0') add(`cell @${name}`, place);
    for (const [name, written] of Object.entries(cell.formulaAttributes ?? {})) {
      const value = name === 'ref' ? plainRange(written) : plainValue(written);
      // A shared formula stands on one cell for all others, in either file.
      const isShared = cell.isShared && (name === 't' || name === 'ref');
      if (!isShared && !sharedFormula.has(name) && !isDefault('f', name, value))
        add(`formula @${name}`, `${place}|${value}`);
    }
    if (cell.formula !== undefined) {
      add('cell formula', place);
      if (!cell.isShared) add('cell formula text', `${place}|${cell.formula.replaceAll(/\s/g, '')}`);
      continue;
    }
    if (cell.value === undefined || cell.value === '') continue;
    const cached = book.cached(cell);
    // Days counted from 1904 become the same days counted from 1900.
    const isMoved = counts1904 && typeof cached === 'number' && isDay(looks[cell.look]?.['format'] ?? '');
    const value = isMoved ? cached + 1462 : cached;
    add(
      'cell value',
      `${place}|${typeof value === 'number' ? Number(value.toPrecision(12)) : unescaped(String(value))}`,
    );
    const item = cell.inline ?? (cell.type === 's' ? book.textItems[Number(cell.value)] : undefined);
    const runs = find(item ?? none, 'r');
    if (runs.length > 1 || find(item ?? none, 'r', 'rPr').length > 0)
      add('cell rich text', `${place}|${runs.map((run) => canonical(run)).join('')}`);
    for (const guide of find(item ?? none, 'rPh')) add('cell phonetic', `${place}|${canonical(guide)}`);
  }
}
