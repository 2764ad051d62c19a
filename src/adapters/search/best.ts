/** Keys below this are of the first tier, below twice this of the second, and so on; the latest has the least of its tier. */
const tier = 2 ** 48;

/** One number for each entry, the lower the better. Exact for every time of the next two thousand years and thirty tiers. */
export function rankKeys(tiers: Uint8Array, modified: Float64Array): Float64Array {
  return modified.map((time, i) => (tiers[i] ?? 0) * tier + (tier / 2 - time));
}

export interface Stretch {
  /** Places in the list of keys, in no order: all that can stand on the page, and all whose keys equal theirs. */
  places: number[];
  /** How many of them come before the page. */
  skip: number;
}

/** Which of the keys can stand on a page, without ordering more than numbers: whoever breaks ties looks at these only. */
export function stretchOf(keys: Float64Array, offset: number, limit: number): Stretch {
  const sorted = least(keys, offset + limit);
  const first = sorted[offset];
  const last = sorted[sorted.length - 1];
  if (first === undefined || last === undefined || limit <= 0) return { places: [], skip: 0 };
  const places: number[] = [];
  let before = 0;
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] ?? 0;
    if (key < first) before++;
    else if (key <= last) places.push(i);
  }
  return { places, skip: offset - before };
}

/** Up to so many are gathered by inserting; more by sorting everything. */
const maxInserted = 64;

/** The least of the keys, in order, so many of them. */
function least(keys: Float64Array, count: number): Float64Array {
  if (count > maxInserted || count >= keys.length) return keys.slice().sort().subarray(0, count);
  const kept = keys.slice(0, count).sort();
  for (let i = count; i < keys.length; i++) {
    const key = keys[i] ?? 0;
    if (key >= (kept[count - 1] ?? 0)) continue;
    let at = count - 1;
    for (; at > 0 && (kept[at - 1] ?? 0) > key; at--) kept[at] = kept[at - 1] ?? 0;
    kept[at] = key;
  }
  return kept;
}
