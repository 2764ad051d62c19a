import { late } from '../ui/late.tsx';

/** Loaded on demand: few pages need it, and none at first. */
export const Missing = late(async () => (await import('./not-found.tsx')).NotFound);
