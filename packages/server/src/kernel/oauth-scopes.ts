import type { Caller } from '../context.ts';
import type { Module, Registry } from './module.ts';

export interface Scope {
  readonly module: string;
  readonly effect: 'read' | 'write';
}

/** Returns all scopes that an app can get, in the form `module:effect`, read before write. */
export function availableScopes({ modules }: Registry): string[] {
  return modules.flatMap(({ name, appsMayOnlyRead }) => [
    `${name}:read`,
    ...(appsMayOnlyRead ? [] : [`${name}:write`]),
  ]);
}

/**
 * Returns the requested scopes that exist. `asked` separates scopes by spaces. Returns all scopes if none was
 * requested.
 */
export function selectKnownScopes(registry: Registry, asked: string | undefined): string[] {
  const all = availableScopes(registry);
  const wanted = new Set((asked ?? '').split(' ').filter((word) => word !== ''));
  return wanted.size === 0 ? all : all.filter((scope) => wanted.has(scope));
}

export function parseScope(text: string): Scope {
  const colon = text.indexOf(':');
  return { module: text.slice(0, colon), effect: text.slice(colon + 1) === 'write' ? 'write' : 'read' };
}

/**
 * Returns the scopes that the app must request: its current scopes plus the scope for this call. Returns undefined if
 * apps cannot get that scope.
 */
export function requiredScope(
  caller: Pick<Caller, 'modules' | 'writable'>,
  { name, appsMayOnlyRead }: Module,
  effect: Scope['effect'],
): string | undefined {
  if (effect === 'write' && appsMayOnlyRead) return undefined;
  const had = caller.modules.filter((module) => module !== name || effect === 'read');
  const kept = had.map((module) => `${module}:${caller.writable?.includes(module) ? 'write' : 'read'}`);
  return [...kept, `${name}:${effect}`].join(' ');
}

/** Converts scopes to the caller's permissions. A write scope includes read access. */
export function scopePermissions(scopes: readonly string[]): {
  modules: string[];
  writable: string[];
  access: 'read' | 'write';
} {
  const found = scopes.map(parseScope);
  const writable = found.filter(({ effect }) => effect === 'write').map(({ module }) => module);
  return {
    modules: [...new Set(found.map(({ module }) => module))],
    writable,
    access: writable.length > 0 ? 'write' : 'read',
  };
}
