import { lazyComponent } from '../ui/lazy.tsx';

/** Loaded on demand: few pages need it, and none at first. */
export const LazyNotFound = lazyComponent(async () => (await import('./not-found.tsx')).NotFound);
