import { lazyComponent } from '../ui/lazy.tsx';

/** Loaded on demand, because a page needs it only if its object is missing. */
export const LazyNotFound = lazyComponent(async () => (await import('./not-found.tsx')).NotFound);
