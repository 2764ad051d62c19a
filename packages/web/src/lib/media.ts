import { useSyncExternalStore } from 'react';

/** A condition of the screen that components can watch: what is not shown is not made either. */
class Media {
  readonly #list: MediaQueryList;

  constructor(query: string) {
    this.#list = matchMedia(query);
  }

  get = (): boolean => this.#list.matches;

  subscribe = (listener: () => void): (() => void) => {
    this.#list.addEventListener('change', listener);
    return () => this.#list.removeEventListener('change', listener);
  };
}

/** There is a side bar. The same width as `md:` in class names. */
const sideBar = new Media('(min-width: 48rem)');
/** A list stands beside what was chosen from it. The same width as `lg:`. */
const twoPanes = new Media('(min-width: 64rem)');

export function useSideBar(): boolean {
  return useSyncExternalStore(sideBar.subscribe, sideBar.get);
}

export function useTwoPanes(): boolean {
  return useSyncExternalStore(twoPanes.subscribe, twoPanes.get);
}
