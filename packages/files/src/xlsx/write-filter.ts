import { type Filter, rectOf } from '@sheaf/engine/internal/document';
import { rectName } from '@sheaf/engine';
import { fingerprint } from './passthrough/fingerprint.ts';
import type { PassthroughWriter } from './passthrough/passthrough-writer.ts';
import type { RelationshipsWriter } from './relationships-writer.ts';
import { mainNamespace, xmlEscape } from './xml-escape.ts';
import { localNameOf, printXml, type XmlElement } from './xml-tree.ts';

/**
 * Returns the fingerprint of a filter, a hash by which the export detects changes. It covers the size of the range and
 * the criteria, with columns relative to the range.
 */
export function filterFingerprint({ region, columns }: Filter): string {
  const [top, left, bottom, right] = region;
  return fingerprint([bottom - top, right - left, columns.map((one) => ({ ...one, col: one.col - left }))]);
}

/** Returns the fingerprint (hash) of a filter's criteria, without the size of its range. */
export function criteriaFingerprint({ region, columns }: Filter): string {
  return fingerprint(columns.map((one) => ({ ...one, col: one.col - region[1] })));
}

/**
 * Returns the XML of a filter that changed since the import. If only its range changed, the imported criteria and
 * filter button settings are kept. `sort` is the XML of the sort order inside the filter.
 */
export function changedFilterXml(
  filter: Filter,
  kept: PassthroughWriter,
  relations: RelationshipsWriter,
  sort = '',
): string {
  const imported = kept.changed(filter.source, [filter.region[0], filter.region[1]], relations);
  if (!imported || imported.reads[0] !== criteriaFingerprint(filter)) return filterXml(filter, sort);
  const { element } = imported;
  const children = element.children.filter((one) => typeof one !== 'string' && localNameOf(one.tag) !== 'sortState');
  const xml = printXml({ ...withRange(element, filter), children }, mainNamespace);
  if (sort === '') return xml;
  return xml.endsWith('/>') ? `${xml.slice(0, -2)}>${sort}</autoFilter>` : xml.replace(/(?=<\/[^<]*$)/, sort);
}

/** Returns the imported XML element of a filter with `ref` set to the filter's current range. */
export function withRange(element: XmlElement, { region }: Filter): XmlElement {
  return { ...element, attributes: new Map(element.attributes).set('ref', rectName(rectOf(region))) };
}

export function filterXml({ region, columns }: Filter, sort = ''): string {
  const criteria = columns.map(({ col, visible, rule }) => {
    if (rule !== undefined) return `<filterColumn colId="${col - region[1]}">${rule}</filterColumn>`;
    const texts = visible.filter((text) => text !== '').map((text) => `<filter val="${xmlEscape(text)}"/>`);
    return `<filterColumn colId="${col - region[1]}"><filters${visible.includes('') ? ' blank="1"' : ''}>${texts.join('')}</filters></filterColumn>`;
  });
  const start = `<autoFilter ref="${rectName(rectOf(region))}"`;
  return criteria.length > 0 || sort !== '' ? `${start}>${criteria.join('')}${sort}</autoFilter>` : `${start}/>`;
}
