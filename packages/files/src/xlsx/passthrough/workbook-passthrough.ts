import type { ZipArchive } from '../../zip/reader.ts';
import type { KeptBook, KeptRelation } from '@sheaf/engine/internal/document';
import { partText, readRelationships, type Relationship } from '../../containers/package-parts.ts';
import { attributesXml, mainNamespace } from '../xml-escape.ts';
import type { PassthroughReader } from './passthrough-reader.ts';
import type { StylePassthrough } from './style-passthrough.ts';
import { childrenNamed, localNameOf, parseXml, printXml, type XmlElement } from '../xml-tree.ts';

/**
 * Relationship kinds that are not passed through: the import reads them, or the export writes them anew or drops them.
 */
const modeledKinds = new Set(
  `worksheet chartsheet dialogsheet xlMacrosheet xlIntlMacrosheet macrosheet styles sharedStrings calcChain
sheetMetadata pivotCacheDefinition externalLink vbaProject vbaProjectSignature volatileDependencies rdRichValue
rdRichValueStructure rdRichValueTypes rdArray richStyles rdSupportingPropertyBag rdSupportingPropertyBagStructure
richValueRel`.split(/\s+/),
);
const modeledRootKinds = new Set(['officeDocument', 'digital-signature', 'origin']);
const passthroughElements = ['fileSharing', 'workbookProtection', 'customWorkbookViews', 'extLst'];
/** Document properties with counts of sheets and names, which programs recompute. */
const countedProperties = new Set(['HeadingPairs', 'TitlesOfParts']);
const calculationKeys = ['calcMode', 'refMode', 'iterate', 'iterateCount', 'iterateDelta', 'fullPrecision'];

/** Captures the workbook-level parts and settings that documents do not model. */
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
  if (root) {
    for (const one of root.children) {
      if (typeof one === 'string') continue;
      const name = localNameOf(one.tag);
      if (passthroughElements.includes(name) && !refersToParts(one)) elements[name] = printXml(one, mainNamespace);
      else if (name === 'workbookPr') elements['workbookPr'] = attributesXml(one.attributes, ['date1904', 'codeName']);
      else if (name === 'bookViews') {
        const [view] = childrenNamed(one, 'workbookView');
        if (view) elements['view'] = attributesXml(view.attributes, ['activeTab', 'firstSheet']);
      } else if (name === 'calcPr') {
        const found = calculationKeys.flatMap((key) => {
          const value = one.attributes.get(key);
          return value === undefined ? [] : [[key, value] as const];
        });
        if (found.length > 0) calculation = Object.fromEntries(found);
      }
    }
  }
  if ([...relations.values()].some((one) => one.kind === 'vbaProject' || /macrosheet/i.test(one.kind)))
    warnings.add('macros were left out: they do not run here, and a file with them is not written');
  const kept = (list: Iterable<Relationship>, without: ReadonlySet<string>): KeptRelation[] =>
    [...list].flatMap((one) => (without.has(one.kind) || one.isExternal ? [] : (keeper.relation(one) ?? [])));
  return {
    root: passthroughProperties(archive, keeper, readRelationships(archive, '').values()),
    workbook: kept(relations.values(), modeledKinds),
    others: others.flatMap((id) => {
      const one = relations.get(id);
      return (one && keeper.relation(one)) ?? [];
    }),
    elements,
    ...(calculation ? { calculation } : {}),
    ...(styles?.font ? { font: styles.font } : {}),
    ...(styles && styles.named.length > 0 ? { styles: styles.named } : {}),
    ...(styles && Object.keys(styles.elements).length > 0 ? { styleElements: styles.elements } : {}),
    // Table styles refer to differential formats by index, so keep all formats in order.
    ...(styles?.elements['tableStyles']?.includes('dxfId') ? { formats: styles.formats } : {}),
  };
}

/** Returns whether an extension refers to parts by relationship id; those ids would be wrong in the exported file. */
function refersToParts(element: XmlElement): boolean {
  return printXml(element, '').includes(':id="');
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
