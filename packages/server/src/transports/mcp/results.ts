import { version } from '../../version.ts';
import { metaNames, type RequestMeta } from './request.ts';
import { isObject } from './rpc.ts';

export const serverInfo = { name: 'sheaf', title: 'sheaf', version };

/** How long a client may keep a list that changes with a new version of the product only. */
const listMs = 300_000;

export interface CacheHint {
  readonly ttlMs: number;
  readonly cacheScope: 'public' | 'private';
}

/** The same for everybody. */
export const sameForAll: CacheHint = { ttlMs: listMs, cacheScope: 'public' };
/** What the caller's key is for decides it. */
export const sameForKey: CacheHint = { ttlMs: listMs, cacheScope: 'private' };
/** The caller's own, and anybody may be changing it. */
export const callersOwn: CacheHint = { ttlMs: 0, cacheScope: 'private' };

/** A result as the version of its request wants it. */
export function resultFor({ modern }: RequestMeta, result: Record<string, unknown>, cache?: CacheHint): object {
  if (!modern) return result;
  return {
    resultType: 'complete',
    ...result,
    ...cache,
    _meta: { ...(isObject(result['_meta']) ? result['_meta'] : {}), [metaNames.server]: serverInfo },
  };
}
