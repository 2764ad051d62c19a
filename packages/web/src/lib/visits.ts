import { useEffect } from 'react';
import { read, write } from './settings.ts';

const key = 'sheaf.visits';
const maxKept = 50;

/** When items without a timestamp of their own were last opened in this browser, by id. */
export function visits(): Record<string, number> {
  try {
    return JSON.parse(read(key) ?? '{}') as Record<string, number>;
  } catch (error) {
    console.info('visits', error);
    return {};
  }
}

/** Records the time at which an item is opened. */
export function useVisit(id: string): void {
  useEffect(() => {
    const all = Object.entries({ ...visits(), [id]: Date.now() });
    const latest = all.toSorted(([, one], [, other]) => other - one).slice(0, maxKept);
    write(key, JSON.stringify(Object.fromEntries(latest)));
  }, [id]);
}
