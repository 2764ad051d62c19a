import { useSyncExternalStore } from 'react';

/**
 * A media query that components can subscribe to. They use it to avoid rendering elements that would be hidden at the
 * current screen size.
 */
class MediaQuery {
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

/** Matches if the sidebar is visible. Same breakpoint as `md:` in class names. */
const sideBar = new MediaQuery('(min-width: 48rem)');
/** Matches if a list and the selected item are shown side by side. Same breakpoint as `lg:` in class names. */
const twoPanes = new MediaQuery('(min-width: 64rem)');

export function useSidebarVisible(): boolean {
  return useSyncExternalStore(sideBar.subscribe, sideBar.get);
}

export function useTwoPaneLayout(): boolean {
  return useSyncExternalStore(twoPanes.subscribe, twoPanes.get);
}
