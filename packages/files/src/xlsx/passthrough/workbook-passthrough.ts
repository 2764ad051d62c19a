import type { ZipArchive } from '../../zip/reader.ts';
import type { KeptBook, KeptRelation } from '@sheaf/engine/internal/document';
import { partText, readRelationships, type Relationship } from '../../containers/package-parts.ts';
import { attributesXml, mainNamespace, relationshipsNamespace } from '../xml-escape.ts';
import { placeholder } from './placeholders.ts';
import type { PassthroughReader } from './passthrough-reader.ts';
import type { StylePassthrough } from './style-passthrough.ts';
import { childrenNamed, elementsIn, localNameOf, parseXml, prefixOf, printXml, type XmlElement } from '../xml-tree.ts';

/**
 * Relationship kinds whose parts are not passed through, because the import reads them, or the export generates or
 * drops them.
 */
const modeledKinds = new Set(
  `worksheet chartsheet dialogsheet xlMacrosheet xlIntlMacrosheet macrosheet styles sharedStrings calcChain
sheetMetadata pivotCacheDefinition externalLink vbaProject vbaProjectSignature volatileDependencies`.split(/\s+/),
);
/**
 * Relationship kinds of the parts that describe rich values. They are passed through together with the cells that refer
 * to them.
 */
const richValueKinds = new Set(
  `rdRichValue rdRichValueStructure rdRichValueTypes rdArray richStyles rdSupportingPropertyBag
rdSupportingPropertyBagStructure richValueRel`.split(/\s+/),
);
const maxMetadata = 2 ** 20;
const modeledRootKinds = new Set(['officeDocument', 'digital-signature', 'origin']);
const passthroughElements = [
  'fileSharing',
  'workbookProtection',
  'functionGroups',
  'customWorkbookViews',
  'oleSize',
  'smartTagPr',
  'smartTagTypes',
  'webPublishing',
  'webPublishObjects',
  'extLst',
];
/** Attributes that request a repair of the file. An exported file needs none. */
const repairAttributes = ['crashSave', 'dataExtractLoad', 'repairLoad'];
/**
 * Document properties that count sheets and names. They are not stored, because programs that open the exported file
 * recompute them.
 */
const countedProperties = new Set(['HeadingPairs', 'TitlesOfParts']);
/**
 * Attributes of `calcPr` that describe the file's last calculation. They are not stored, because the export requests a
 * new calculation.
 */
const lastCalculation = new Set(['calcId', 'fullCalcOnLoad', 'calcCompleted']);

/**
 * Stores the workbook-level parts and settings that documents do not support, so that an export can write them back.
 */
export function readWorkbookPassthrough(
  archive: ZipArchive,
  part: string,
  keeper: PassthroughReader,
  styles: StylePassthrough | undefined,
  others: readonly string[],
  warnings: Set<string>,
): Omit<KeptBook, 'texts' | 'parts'> {
  const relations = readRelationships(archive, part);
  const root = parseXml(partText(archive, part) ?? '', part);
  const elements: Record<string, string> = {};
  let calculation: Record<string, string> | undefined;
  const workbook: KeptRelation[] = [];
  const places = new Map<string, number>();
  const without = keeper.hasRichValues ? modeledKinds : new Set([...modeledKinds, ...richValueKinds]);
  for (const [id, one] of relations) {
    const kept = without.has(one.kind) || one.isExternal ? undefined : keeper.relation(one);
    if (kept) places.set(id, workbook.push(kept) - 1);
  }
  if (root) {
    for (const one of root.children) {
      if (typeof one === 'string') continue;
      const name = localNameOf(one.tag);
      if (passthroughElements.includes(name)) elements[name] = withPlaces(one, places);
      else if (name === 'fileRecoveryPr') {
        const attributes = attributesXml(one.attributes, repairAttributes);
        if (attributes !== '') elements[name] = `<fileRecoveryPr${attributes}/>`;
      } else if (name === 'workbookPr') elements['workbookPr'] = attributesXml(one.attributes, ['date1904']);
      else if (name === 'bookViews') {
        const [view] = childrenNamed(one, 'workbookView');
        if (view) elements['view'] = attributesXml(view.attributes, ['activeTab', 'firstSheet']);
      } else if (name === 'calcPr') {
        const found = [...one.attributes].filter(([key]) => !lastCalculation.has(key) && /^\w+$/.test(key));
        if (found.length > 0) calculation = Object.fromEntries(found);
      }
    }
  }
  if ([...relations.values()].some((one) => one.kind === 'vbaProject' || /macrosheet/i.test(one.kind)))
    warnings.add('macros were left out: they do not run here, and a file with them is not written');
  const metadata = [...relations.values()].find(({ kind }) => kind === 'sheetMetadata')?.target;
  // The metadata of rich values is useful only together with all parts it refers to.
  const isComplete = [...relations].every(([id, { kind }]) => !richValueKinds.has(kind) || places.has(id));
  const found = keeper.hasRichValues && isComplete && metadata !== undefined ? partText(archive, metadata) : undefined;
  const described = found !== undefined && found.length <= maxMetadata ? found : undefined;
  return {
    root: passthroughProperties(archive, keeper, readRelationships(archive, '').values()),
    workbook,
    others: others.flatMap((id) => {
      const one = relations.get(id);
      return (one && keeper.relation(one)) ?? [];
    }),
    elements,
    ...(calculation ? { calculation } : {}),
    ...(described === undefined ? {} : { metadata: described }),
    ...(styles?.font ? { font: styles.font } : {}),
    ...(styles && styles.named.length > 0 ? { styles: styles.named.flatMap((one) => keeper.style(one) ?? []) } : {}),
    ...(styles && Object.keys(styles.elements).length > 0 ? { styleElements: styles.elements } : {}),
    // Table styles refer to differential formats by index, so keep all formats in their order.
    ...(styles?.elements['tableStyles']?.includes('dxfId') ? { formats: styles.formats } : {}),
  };
}

/**
 * Returns the XML of a workbook element. Relationship ids become placeholders with the relationship's index in the list
 * of stored ones. Extensions that use other relationships are left out.
 */
function withPlaces(element: XmlElement, places: ReadonlyMap<string, number>): string {
  const isRelation = (one: XmlElement, name: string): boolean =>
    name.includes(':') && one.scope.get(prefixOf(name)) === relationshipsNamespace;
  const isKept = (one: XmlElement): boolean =>
    [one, ...elementsIn(one)].every((inner) =>
      [...inner.attributes].every(([name, value]) => !isRelation(inner, name) || places.has(value)),
    );
  const children = element.children.filter((one) => typeof one === 'string' || isKept(one));
  return printXml({ ...element, children }, mainNamespace, {
    attribute: (one, name, value) => (isRelation(one, name) ? placeholder('r', places.get(value)!) : undefined),
  });
}

function passthroughProperties(
  archive: ZipArchive,
  keeper: PassthroughReader,
  list: Iterable<Relationship>,
): KeptRelation[] {
  return [...list].flatMap((one): KeptRelation[] => {
    if (modeledRootKinds.has(one.kind) || one.isExternal) return [];
    const xml = one.kind === 'extended-properties' ? partText(archive, one.target) : undefined;
    const root = xml === undefined ? undefined : parseXml(xml, one.target);
    if (!root) {
      const kept = keeper.relation(one);
      return kept ? [kept] : [];
    }
    const rest = root.children.filter(
      (child) => typeof child === 'string' || !countedProperties.has(localNameOf(child.tag)),
    );
    const text = printXml({ ...root, children: rest }, '');
    const part = keeper.addPart(one.target, keeper.typeOf(one.target), text);
    return part === undefined ? [] : [{ type: one.type, part }];
  });
}
