import {
  type PassthroughElement,
  type Link,
  meets,
  rectOf,
  regionOf,
  type SheetDocument,
  type SubSheet,
} from '@sheaf/engine/internal/document';
import { cellName, parseCell, parseRect, rectName, type Rect } from '@sheaf/engine';
import { validateLink } from '../validate-link.ts';
import type { Relationship } from '../containers/package-parts.ts';
import type { PassthroughReader } from './passthrough/passthrough-reader.ts';
import type { PassthroughWriter } from './passthrough/passthrough-writer.ts';
import { placeholder } from './passthrough/placeholders.ts';
import type { RelationshipsWriter } from './relationships-writer.ts';
import { unprefixedAttributesXml, relationshipsNamespace, xmlEscape } from './xml-escape.ts';

/** A link of an imported sheet: either a link of the document model, or XML stored unchanged for export. */
export type ParsedLink =
  | { readonly at: readonly [row: number, col: number]; readonly link: Omit<Link, 'id'> }
  | { readonly carried: PassthroughElement };

/**
 * Reads a link from the attributes of its XML element. Returns undefined if the element names no valid range of cells.
 */
export function readLink(
  attributes: ReadonlyMap<string, string>,
  relations: ReadonlyMap<string, Relationship>,
  document: SheetDocument,
  sub: SubSheet,
  keeper: PassthroughReader,
): ParsedLink | undefined {
  const rect = parseRect(attributes.get('ref') ?? '');
  if (!rect) return undefined;
  const id = attributes.get('id');
  const relation = id === undefined ? undefined : relations.get(id);
  const words = { ...(relation ? { target: relation.target } : {}), ...wordsOf(attributes, rect) };
  const url = urlOf(words, document, sub);
  if (url !== undefined && validateLink(url) === undefined)
    return { at: [rect.top, rect.left], link: { url, kept: words } };
  const text = keeper.text({
    xml:
      `<hyperlink ref="${placeholder('q', 0)}"${unprefixedAttributesXml(attributes, ['ref', 'id'])}` +
      `${relation ? ` r:id="${placeholder('r', 0)}"` : ''}/>`,
    ...(relation ? { relations: [{ type: `${relationshipsNamespace}/hyperlink`, target: relation.target }] } : {}),
  });
  return text === undefined ? undefined : { carried: { kind: 'hyperlink', text, regions: [regionOf(rect)] } };
}

function wordsOf(attributes: ReadonlyMap<string, string>, rect: Rect): NonNullable<Link['kept']> {
  const named = ['location', 'tooltip', 'display'].flatMap((name) => {
    const value = attributes.get(name);
    return value === undefined || value === '' ? [] : [[name, value.slice(0, 2_000)] as const];
  });
  const size = [rect.bottom - rect.top + 1, rect.right - rect.left + 1] as const;
  return { ...Object.fromEntries(named), ...(size[0] * size[1] > 1 ? { size } : {}) };
}

/**
 * Returns the URL that the document stores for a link, or undefined if the link's location in the workbook does not
 * exist.
 */
function urlOf(words: NonNullable<Link['kept']>, document: SheetDocument, sub: SubSheet): string | undefined {
  const { target, location } = words;
  if (target === undefined) return location === undefined ? undefined : placeOf(location, document, sub);
  return (location === undefined ? target : `${target}#${location}`).trim();
}

/**
 * Converts a location of an xlsx file, such as `Sheet1!A1`, to `#sheet_id!A1`, or the name of a cell range to `#name`.
 * Returns undefined if it is invalid.
 */
function placeOf(location: string, document: SheetDocument, sub: SubSheet): string | undefined {
  const split = location.lastIndexOf('!');
  const name = location
    .slice(0, Math.max(0, split))
    .replace(/^'([\s\S]*)'$/, '$1')
    .replaceAll("''", "'");
  const sheet = split < 0 ? sub : document.byName(name);
  const cell = location.slice(split + 1).replaceAll('$', '');
  if (split < 0 && !parseRect(cell) && /^[\p{L}_\\][\p{L}\p{N}_.\\?]*$/u.test(cell)) return `#${cell}`;
  return sheet && (parseRect(cell) ?? parseCell(cell)) ? `#${sheet.id}!${cell}` : undefined;
}

/** Returns the XML of a sub-sheet's links. An imported link keeps its original XML while its target is unchanged. */
export function linksXml(
  document: SheetDocument,
  sub: SubSheet,
  kept: PassthroughWriter,
  relations: RelationshipsWriter,
): string {
  const external = (target: string): string =>
    ` r:id="${relations.addTyped(`${relationshipsNamespace}/hyperlink`, target, true)}"`;
  const attribute = (name: string, value: string | undefined): string =>
    value === undefined ? '' : ` ${name}="${xmlEscape(value)}"`;
  const links = sub.links.list().map(({ row, col, value: { url, kept: words = {} } }) => {
    const [rows, cols] = words.size ?? [1, 1];
    const place =
      words.size === undefined
        ? cellName(row, col)
        : rectName({ top: row, left: col, bottom: row + rows - 1, right: col + cols - 1 });
    const start = `<hyperlink ref="${place}"`;
    const rest = `${attribute('tooltip', words.tooltip)}${attribute('display', words.display)}`;
    if (urlOf(words, document, sub) === url)
      return (
        start +
        (words.target === undefined ? '' : external(words.target)) +
        `${attribute('location', words.location)}${rest}/>`
      );
    if (!url.startsWith('#')) return `${start}${external(url)}${rest}/>`;
    return `${start} location="${xmlEscape(linkLocation(document, url.slice(1)))}"${rest}/>`;
  });
  const taken = sub.links.list().map(({ row, col }) => ({ top: row, left: col, bottom: row, right: col }));
  const others = sub.carried.filter(
    ({ kind, regions }) =>
      kind === 'hyperlink' && !taken.some((cell) => regions?.some((region) => meets(rectOf(region), cell))),
  );
  links.push(...others.map((one) => kept.fill(one, relations)));
  return links.length > 0 ? `<hyperlinks>${links.join('')}</hyperlinks>` : '';
}

/** Converts a link target inside the workbook for export: documents refer to a sub-sheet by id, files by name. */
function linkLocation(document: SheetDocument, target: string): string {
  const [id = '', cell] = target.split('!');
  const found = document.find(id);
  return found ? `'${found.name.replaceAll("'", "''")}'!${cell ?? 'A1'}` : target;
}
