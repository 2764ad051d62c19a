import { parseCell, rectName } from '../base/address.ts';
import type { SheetDocument } from '../document/document.ts';
import type {
  ConditionalFormat,
  Comment,
  RangeObjectKind,
  RangeObjectLists,
  Table,
  Validation,
} from '../document/objects/range-objects.ts';
import { checkRegion, meets, rectOf } from '../document/objects/rect.ts';
import type { SubSheet } from '../document/objects/sub-sheet.ts';
import { captureTables } from '../document/objects/document-tables.ts';
import { neverNoOp, laterWhenApart, hasIdentical } from './affected-parts.ts';
import { bindTableReferences } from './bind-table-references.ts';
import { updateSheetReferences } from './update-references.ts';
import { insertObject, requireIndex } from './object-lists.ts';
import { defineMutation, type Mutation, type MutationKind, type Touch } from './define-mutation.ts';

type AnyRangeObject = ConditionalFormat | Validation | Comment | Table;

const words: Record<RangeObjectKind, string> = {
  formats: 'conditional format',
  validations: 'validation',
  comments: 'comment',
  tables: 'table',
};

interface PutRangeObject {
  readonly sheet: string;
  readonly list: RangeObjectKind;
  /** The object to add, such as a table or a comment. It replaces the object with the same id, if there is one. */
  readonly mark: AnyRangeObject;
  /**
   * Index at which the object is put into `list`. If absent, an existing object keeps its index, and a new one is added
   * at the end.
   */
  readonly at?: number;
  /**
   * Set when undo restores a table. Formulas that mention the table's name are then left unchanged, because other
   * mutations of the undo restore them.
   */
  readonly asWas?: true;
}

/**
 * Returns the parts of a document that are affected if a range object, such as a table or a comment, is set or removed.
 * The cells that the object covers do not change, but they are listed (`over`) so that their protections apply.
 */
function touchesRangeObject(sub: SubSheet, list: RangeObjectKind, id: string, object?: AnyRangeObject): Touch[] {
  const before = rangeObjectsOf(sub, list).find((one) => one.id === id);
  return [
    { sheet: sub.id, object: `${words[list]} ${id}` },
    ...[before, object].flatMap((one) => one?.regions ?? []).map((region) => ({ sheet: sub.id, over: rectOf(region) })),
  ];
}

function rangeObjectsOf(sub: SubSheet, list: RangeObjectKind): readonly AnyRangeObject[] {
  return sub[list];
}

function replace(sub: SubSheet, list: RangeObjectKind, objects: readonly AnyRangeObject[]): void {
  sub.restore({ [list]: objects } as Partial<RangeObjectLists>);
}

export const putMark: MutationKind<PutRangeObject> = defineMutation({
  type: 44,
  name: 'put_mark',
  scope: 'objects',
  touches: ({ sheet, list, mark: object }, document) =>
    touchesRangeObject(document.subSheet(sheet), list, object.id, object),
  place: ({ sheet, mark: object }) => object.regions.map((region) => ({ sheet, rect: rectOf(region) })),
  isNoOp: ({ sheet, list, mark: object, at }, document) =>
    at === undefined && hasIdentical(rangeObjectsOf(document.subSheet(sheet), list), object),
  beside: laterWhenApart,
  apply: (document, { sheet, list, mark: object, at, asWas }) => {
    const sub = document.subSheet(sheet);
    if (!(list in words)) throw new RangeError(`list: there is no list '${String(list)}'`);
    if (object.regions.length === 0) throw new RangeError('mark.regions: at least one is needed');
    for (const region of object.regions) checkRegion(region, 'mark.regions');
    if (list === 'tables') checkTable(document, sub, object as Table);
    const objects = rangeObjectsOf(sub, list);
    const index = objects.findIndex((one) => one.id === object.id);
    const before = objects[index];
    if (!before) {
      replace(sub, list, insertObject(objects, object, at, words[list]));
      const bound = list === 'tables' && !asWas ? bindTableReferences(document, (object as Table).name) : [];
      return [removeMark.of({ sheet, list, id: object.id }), ...bound];
    }
    const to = at ?? index;
    const follow =
      list === 'tables' && !asWas ? renameInFormulas(document, before as Table, object as Table) : undefined;
    replace(sub, list, objects.toSpliced(index, 1).toSpliced(to, 0, object));
    return [
      putMark.of({
        sheet,
        list,
        mark: before,
        ...(to === index ? {} : { at: index }),
        ...(list === 'tables' ? { asWas: true as const } : {}),
      }),
      ...(follow?.() ?? []),
    ];
  },
});

interface RemoveRangeObject {
  readonly sheet: string;
  readonly list: RangeObjectKind;
  readonly id: string;
}

export const removeMark: MutationKind<RemoveRangeObject> = defineMutation({
  type: 45,
  name: 'remove_mark',
  scope: 'objects',
  touches: ({ sheet, list, id }, document) => touchesRangeObject(document.subSheet(sheet), list, id),
  place: () => [],
  isNoOp: neverNoOp,
  beside: laterWhenApart,
  apply: (document, { sheet, list, id }) => {
    const sub = document.subSheet(sheet);
    const objects = rangeObjectsOf(sub, list);
    const at = requireIndex(objects, id, words[list]);
    replace(sub, list, objects.toSpliced(at, 1));
    const asWas = list === 'tables' ? { asWas: true as const } : {};
    return [putMark.of({ sheet, list, mark: objects[at] as AnyRangeObject, at, ...asWas })];
  },
});

const tableName = /^[\p{L}_\\][\p{L}\p{N}_.\\]{0,254}$/u;

/** Throws RangeError unless the table is valid at its location and its name is free. */
function checkTable(document: SheetDocument, sub: SubSheet, table: Table): void {
  const { id, name, number, regions, columns } = table;
  if (!tableName.test(name) || parseCell(name) || /^[rc]$/i.test(name))
    throw new RangeError(
      `name: must begin with a letter or _, hold only letters, digits, . and _, and not be an address (got '${name}')`,
    );
  if (regions.length > 1) throw new RangeError('mark.regions: a table has one');
  const rect = rectOf(regions[0]!);
  const width = rect.right - rect.left + 1;
  if (columns.length !== width)
    throw new RangeError(`mark.columns: ${columns.length} are listed for ${width} columns of cells`);
  for (const other of document.subSheets)
    for (const one of other.tables) {
      if (one.id === id && other === sub) continue;
      if (one.name.toUpperCase() === name.toUpperCase()) throw new RangeError(`name: there is a table '${one.name}'`);
      if (one.number === number) throw new RangeError(`mark.number: ${number} is that of the table '${one.name}'`);
      if (other === sub && meets(rectOf(one.regions[0]!), rect))
        throw new RangeError(`range: ${rectName(rect)} overlaps the table '${one.name}'`);
    }
  const taken = document.names().find((one) => one.name.toUpperCase() === name.toUpperCase());
  if (taken) throw new RangeError(`name: '${taken.name}' is a name of the document`);
}

/**
 * Returns a function that updates formulas after a table was renamed; undefined if the name is the same. Cell formulas
 * refer to tables by id, so only formulas of other objects and unresolved references to the new name change.
 */
function renameInFormulas(document: SheetDocument, before: Table, after: Table): (() => Mutation[]) | undefined {
  if (before.name === after.name) return undefined;
  const { workbook } = document;
  const tables = captureTables(document);
  const asBefore = {
    sheetName: (id: number) => workbook.sheetName(id),
    sheetId: (name: string) => workbook.sheetId(name),
    tables,
  };
  return () => [
    ...updateSheetReferences(document, asBefore, (ref) => ref),
    ...bindTableReferences(document, after.name),
  ];
}
