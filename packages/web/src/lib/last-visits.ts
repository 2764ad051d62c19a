import { useEffect } from 'react';
import { readJson, writeStorage } from './browser-storage.ts';

const key = 'sheaf.visits';
const maxVisits = 50;

/** Returns when items were last opened in this browser, by id. Used for items without a timestamp on the server. */
export function readLastVisits(): Record<string, number> {
  return readJson(key) ?? {};
}

/** Records in the browser's storage when an item is opened. Only the latest visits are stored. */
export function useRecordVisit(id: string): void {
  useEffect(() => {
    const all = Object.entries({ ...readLastVisits(), [id]: Date.now() });
    const latest = all.toSorted(([, one], [, other]) => other - one).slice(0, maxVisits);
    writeStorage(key, JSON.stringify(Object.fromEntries(latest)));
  }, [id]);
}
