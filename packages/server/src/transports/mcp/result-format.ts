import { version } from '../../version.ts';
import { metaKeys, type RequestMeta } from './request-meta.ts';
import { isObject } from './json-rpc.ts';

export const serverInfo = { name: 'sheaf', title: 'sheaf', version };

/** Cache time in milliseconds for lists that change only with a new server version. */
const listMs = 300_000;

export interface CacheHint {
  readonly ttlMs: number;
  readonly cacheScope: 'public' | 'private';
}

/** Cache hint for results that are the same for all callers. */
export const publicCache: CacheHint = { ttlMs: listMs, cacheScope: 'public' };
/** Cache hint for results that depend on the permissions of the caller's key. */
export const privateCache: CacheHint = { ttlMs: listMs, cacheScope: 'private' };
/** Cache hint for the caller's data, which may change at any time. */
export const noCache: CacheHint = { ttlMs: 0, cacheScope: 'private' };

export function formatResult({ modern }: RequestMeta, result: Record<string, unknown>, cache?: CacheHint): object {
  if (!modern) return result;
  return {
    resultType: 'complete',
    ...result,
    ...cache,
    _meta: { ...(isObject(result['_meta']) ? result['_meta'] : {}), [metaKeys.server]: serverInfo },
  };
}
