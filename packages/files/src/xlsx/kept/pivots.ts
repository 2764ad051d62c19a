import type { ZipArchive } from '../../zip/zip-guard.ts';
import type { Carried } from '@sheaf/engine/internal/document';
import { partText, relationsOf } from '../read-xml.ts';
import { hole } from './holes.ts';
import { type Found, type Keeper, regionsOf } from './keeper.ts';
import { localOf, parseXml } from './xml-tree.ts';

/** Keeps a pivot table that documents do not model: its location and its cached data. */
export function keepPivot(archive: ZipArchive, part: string, keeper: Keeper): Carried | undefined {
  const cache = [...relationsOf(archive, part).values()].find((one) => one.kind === 'pivotCacheDefinition')?.target;
  const root = parseXml(partText(archive, part) ?? '', part);
  const key = cache === undefined ? undefined : keeper.part(cache);
  if (!root || key === undefined) return undefined;
  const found: Found = { formulas: [], regions: undefined };
  // This is a separate part, so there is no outer default namespace.
  const made = keeper.print(root, '', new Map(), found, {
    attribute: (element, name, value) => {
      if (name === 'cacheId' && element === root) return hole('d', 0);
      if (name !== 'ref' || localOf(element.tag) !== 'location') return undefined;
      found.regions = regionsOf(value);
      return hole('q', 0);
    },
    // The formulas of calculated items are not cell formulas and stay unchanged.
    text: () => undefined,
  });
  const text = found.regions?.length ? keeper.text({ ...made, pieces: [key] }) : undefined;
  return text === undefined ? undefined : { kind: 'pivotTable', text, regions: found.regions! };
}
