import { lazyComponent } from '../ui/lazy.tsx';

/**
 * Shows that something does not exist, for example a note. Its code is loaded on demand, because most pages never need
 * it.
 */
export const LazyNotFound = lazyComponent(async () => (await import('./not-found.tsx')).NotFound);
