import type { ZipArchive } from '../../zip/reader.ts';
import type { Carried } from '@sheaf/engine/internal/document';
import { partText, readRelationships } from '../../containers/package-parts.ts';
import { placeholder } from './placeholders.ts';
import { type CapturedReferences, type PassthroughReader, regionsOf } from './passthrough-reader.ts';
import { localNameOf, parseXml } from '../xml-tree.ts';

/**
 * Captures a pivot table that documents do not support, with its location and its cache. Returns undefined if it cannot
 * be stored.
 */
export function capturePivot(archive: ZipArchive, part: string, keeper: PassthroughReader): Carried | undefined {
  const cache = [...readRelationships(archive, part).values()].find(
    (one) => one.kind === 'pivotCacheDefinition',
  )?.target;
  const root = parseXml(partText(archive, part) ?? '', part);
  const key = cache === undefined ? undefined : keeper.part(cache);
  if (!root || key === undefined) return undefined;
  const found: CapturedReferences = { formulas: [], regions: undefined };
  // The pivot table is written as a part of its own, so no default namespace surrounds it.
  const made = keeper.print(root, '', new Map(), found, {
    attribute: (element, name, value) => {
      if (name === 'cacheId' && element === root) return placeholder('d', 0);
      if (name !== 'ref' || localNameOf(element.tag) !== 'location') return undefined;
      found.regions = regionsOf(value);
      return placeholder('q', 0);
    },
    // Formulas of calculated items are not cell formulas, so they need no placeholders.
    text: () => undefined,
  });
  const text = found.regions?.length ? keeper.text({ ...made, pieces: [key] }) : undefined;
  return text === undefined ? undefined : { kind: 'pivotTable', text, regions: found.regions! };
}
