import { useState } from 'react';

export interface ListSelection {
  readonly ids: ReadonlySet<string>;
  /**
   * Selects or deselects an entry. With `through`, it selects the range from the entry `from` to this entry. By
   * default, `from` is the entry that was toggled last.
   */
  toggle(id: string, through: boolean, from?: string): void;
  set(ids: Iterable<string>): void;
  clear(): void;
}

/**
 * Manages which entries of a list are selected. `listed` contains the ids of all entries; entries missing from it never
 * count as selected.
 */
export function useListSelection(listed: readonly string[]): ListSelection {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [last, setLast] = useState<string>();
  const ids = new Set(listed.filter((id) => picked.has(id)));
  return {
    ids,
    toggle(id, through, begin = last) {
      const from = begin === undefined ? -1 : listed.indexOf(begin);
      const to = listed.indexOf(id);
      const next = new Set(ids);
      if (through && from >= 0)
        for (const one of listed.slice(Math.min(from, to), Math.max(from, to) + 1)) next.add(one);
      else if (!next.delete(id)) next.add(id);
      setPicked(next);
      setLast(id);
    },
    set: (all) => setPicked(new Set(all)),
    clear: () => setPicked(new Set()),
  };
}
