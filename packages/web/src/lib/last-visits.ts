import { useEffect } from 'react';
import { readJson, writeStorage } from './browser-storage.ts';

const key = 'sheaf.visits';
const maxVisits = 50;

/** When items without a timestamp of their own were last opened in this browser, by id. */
export function readLastVisits(): Record<string, number> {
  return readJson(key) ?? {};
}

/** Records the time at which an item is opened. */
export function useRecordVisit(id: string): void {
  useEffect(() => {
    const all = Object.entries({ ...readLastVisits(), [id]: Date.now() });
    const latest = all.toSorted(([, one], [, other]) => other - one).slice(0, maxVisits);
    writeStorage(key, JSON.stringify(Object.fromEntries(latest)));
  }, [id]);
}
