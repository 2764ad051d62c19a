import type { ZipArchive } from '../../zip/reader.ts';
import type { KeptBook, KeptRelation } from '@sheaf/engine/internal/document';
import { partText, readRelationships, type Relationship } from '../../containers/package-parts.ts';
import { unprefixedAttributesXml, mainNamespace, relationshipsNamespace } from '../xml-escape.ts';
import { placeholder } from './placeholders.ts';
import type { PassthroughReader } from './passthrough-reader.ts';
import type { StylePassthrough } from './style-passthrough.ts';
import {
  childrenNamed,
  descendantsOf,
  localNameOf,
  parseXml,
  prefixOf,
  printXml,
  type XmlElement,
} from '../xml-tree.ts';

/**
 * Kinds of relationships whose target parts (files in the XLSX package) are not stored unchanged for export: the import
 * reads them, or the export generates or drops them.
 */
const modeledKinds = new Set(
  `worksheet chartsheet dialogsheet xlMacrosheet xlIntlMacrosheet macrosheet styles sharedStrings calcChain
sheetMetadata pivotCacheDefinition externalLink vbaProject vbaProjectSignature volatileDependencies`.split(/\s+/),
);
/**
 * Kinds of relationships to the parts that describe rich values, such as pictures in cells. These parts are stored for
 * export only if a cell has a rich value.
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
/**
 * Attributes of `fileRecoveryPr` that request a repair of the file. They are not stored, because an exported file needs
 * no repair.
 */
const repairAttributes = ['crashSave', 'dataExtractLoad', 'repairLoad'];
/**
 * Elements of the document properties that list and count the sheets and defined names. They are not stored, because
 * programs that open the exported file recompute them.
 */
const countedProperties = new Set(['HeadingPairs', 'TitlesOfParts']);
/**
 * Attributes of `calcPr` about when the file was or must be calculated. They are not stored, because every exported
 * file requests a new calculation.
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
        const attributes = unprefixedAttributesXml(one.attributes, repairAttributes);
        if (attributes !== '') elements[name] = `<fileRecoveryPr${attributes}/>`;
      } else if (name === 'workbookPr') elements['workbookPr'] = unprefixedAttributesXml(one.attributes, ['date1904']);
      else if (name === 'bookViews') {
        const [view] = childrenNamed(one, 'workbookView');
        if (view) elements['view'] = unprefixedAttributesXml(view.attributes, ['activeTab', 'firstSheet']);
      } else if (name === 'calcPr') {
        const found = [...one.attributes].filter(([key]) => !lastCalculation.has(key) && /^\w+$/.test(key));
        if (found.length > 0) calculation = Object.fromEntries(found);
      }
    }
  }
  if ([...relations.values()].some((one) => one.kind === 'vbaProject' || /macrosheet/i.test(one.kind)))
    warnings.add('macros were left out: they do not run here, and a file with them is not written');
  const metadata = [...relations.values()].find(({ kind }) => kind === 'sheetMetadata')?.target;
  // The metadata of rich values refers to all parts that describe them, so store it only if all these parts are stored.
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
 * Returns the XML of an element of the workbook part for storage. Each relationship id is replaced by a placeholder
 * with the index that `places` has for it. Child elements that use a relationship missing in `places`, because it is
 * not stored, are left out.
 */
function withPlaces(element: XmlElement, places: ReadonlyMap<string, number>): string {
  const isRelation = (one: XmlElement, name: string): boolean =>
    name.includes(':') && one.scope.get(prefixOf(name)) === relationshipsNamespace;
  const isKept = (one: XmlElement): boolean =>
    [one, ...descendantsOf(one)].every((inner) =>
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
