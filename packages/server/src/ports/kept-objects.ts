import { Refused } from './refused.ts';
import type { Stamp } from './stamp.ts';

/** Bytes do not fit into what a user may store. Nothing was kept. `field` is what the caller calls them. */
export class StorageFull extends Refused<{
  reason: 'storage_full';
  field: string;
  bytes: number;
  used: number;
  quota: number;
}> {}

export interface KeepOptions {
  /** The field of the request that a refusal names. */
  field: string;
  /** For users without a quota of their own. */
  quotaBytes: number;
  /** When the object becomes garbage, unless something refers to it by then. */
  until?: number;
  /** Where keeping it is all that a call writes; `target` is then what the call is about. */
  stamp?: Stamp;
  target?: string;
  /** Counts under this prefix end: the object is made of those. */
  madeOf?: string;
}

/**
 * Objects in the blob store that no row of a module counts: uploads nobody has used yet, files made for a link. Each is
 * counted for a user before its first byte is stored, under its key, and until it is deleted; a module that takes an object
 * over counts it from then on. A key that is kept again counts as large as it is now.
 */
export interface KeptObjects {
  /** Throws StorageFull. */
  keep(userId: string, key: string, bytes: number, options: KeepOptions): Promise<void>;
  /** The object is gone. */
  release(key: string): Promise<void>;
  /** All objects whose keys begin so are gone. */
  releaseUnder(prefix: string): Promise<void>;
}

/** What the parts of an upload count under, each with its number behind it. Not a key of the blob store. */
export function partsOf(key: string, uploadId: string): string {
  return `${key}?${uploadId}/`;
}
