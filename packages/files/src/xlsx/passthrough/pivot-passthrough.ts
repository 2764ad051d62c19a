import type { ZipArchive } from '../../zip/reader.ts';
import type { PassthroughElement, KeptText } from '@sheaf/engine/internal/document';
import type { ImportContext } from '../import-context.ts';
import { pivotFingerprint } from '../write-pivot.ts';
import { partText, readRelationships } from '../../containers/package-parts.ts';
import { placeholder } from './placeholders.ts';
import { type CapturedReferences, type PassthroughReader, regionsOf } from './passthrough-reader.ts';
import { localNameOf, parseXml } from '../xml-tree.ts';

/**
 * Stores an unsupported pivot table with its location and its cache for export. Returns undefined if it cannot be
 * stored.
 */
export function capturePivot(
  archive: ZipArchive,
  part: string,
  keeper: PassthroughReader,
  formats: readonly string[],
): PassthroughElement | undefined {
  const cache = [...readRelationships(archive, part).values()].find(
    (one) => one.kind === 'pivotCacheDefinition',
  )?.target;
  const root = parseXml(partText(archive, part) ?? '', part);
  const key = cache === undefined ? undefined : keeper.part(cache);
  if (!root || key === undefined) return undefined;
  const found: CapturedReferences = { formulas: [], regions: undefined };
  const pieces = [key, root.attributes.get('cacheId') ?? ''];
  // The default namespace is '', because the pivot table is written to a part of its own, where no default namespace is
  // declared.
  const made = keeper.print(root, '', new Map(), found, {
    attribute: (element, name, value) => {
      if (name === 'cacheId' && element === root) return placeholder('d', 0);
      const format = name === 'dxfId' ? formats[Number(value)] : undefined;
      if (format !== undefined) return placeholder('d', pieces.push(format) - 1);
      if (name !== 'ref' || localNameOf(element.tag) !== 'location') return undefined;
      found.regions = regionsOf(value);
      return placeholder('q', 0);
    },
    // Keep texts unchanged. Formulas of calculated items refer to pivot items and not to cells, so they need no
    // placeholders.
    text: () => undefined,
  });
  const text = found.regions?.length ? keeper.text({ ...made, pieces }) : undefined;
  return text === undefined ? undefined : { kind: 'pivotTable', text, regions: found.regions! };
}

/** Stores the imported XML of a pivot table. The export writes it if the pivot table is unchanged. */
export function storePivotXml(
  archive: ZipArchive,
  part: string,
  { document, passthrough, formats }: ImportContext,
  id: string,
  captions: NonNullable<KeptText['captions']>,
): void {
  const pivot = document.pivot(id);
  const root = parseXml(partText(archive, part) ?? '', part);
  const cache = [...readRelationships(archive, part).values()].find((one) => one.kind === 'pivotCacheDefinition');
  const linked = cache && passthrough.relation(cache);
  if (!pivot || !root || !linked) return;
  const words = passthrough.source(root, [pivot.row, pivot.col], formats, { path: part, linked: [linked], captions });
  if (words === undefined) return;
  passthrough.recordRead(words, pivotFingerprint(document, pivot));
  document.pivots = document.pivots.map((one) => (one === pivot ? { ...pivot, words } : one));
}
