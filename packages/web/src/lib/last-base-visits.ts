import { useEffect } from 'react';
import { readJson, writeStorage } from './browser-storage.ts';

const key = 'sheaf.visits';
const maxVisits = 50;

/** Returns when knowledge bases were last opened in this browser, by id. The server stores no time for them. */
export function readLastBaseVisits(): Record<string, number> {
  return readJson(key) ?? {};
}

/** Records in the browser's storage when a knowledge base is opened. Only the latest visits are stored. */
export function useRecordBaseVisit(id: string): void {
  useEffect(() => {
    const all = Object.entries({ ...readLastBaseVisits(), [id]: Date.now() });
    const latest = all.toSorted(([, one], [, other]) => other - one).slice(0, maxVisits);
    writeStorage(key, JSON.stringify(Object.fromEntries(latest)));
  }, [id]);
}
