import type { Caller } from '../context.ts';
import type { Module, Registry } from './module.ts';

/** What an app may do in one module. */
export interface Scope {
  readonly module: string;
  readonly effect: 'read' | 'write';
}

/** Every scope an app can be given, as `module:effect`, reading before writing. */
export function scopesOf({ modules }: Registry): string[] {
  return modules.flatMap(({ name, appsMayOnlyRead }) => [
    `${name}:read`,
    ...(appsMayOnlyRead ? [] : [`${name}:write`]),
  ]);
}

/** Of the scopes that were asked for, those that there are; all of them where none was asked for. */
export function knownScopes(registry: Registry, asked: string | undefined): string[] {
  const all = scopesOf(registry);
  const wanted = new Set((asked ?? '').split(' ').filter((word) => word !== ''));
  return wanted.size === 0 ? all : all.filter((scope) => wanted.has(scope));
}

export function scopeOf(text: string): Scope {
  const colon = text.indexOf(':');
  return { module: text.slice(0, colon), effect: text.slice(colon + 1) === 'write' ? 'write' : 'read' };
}

/** The scopes with which an app could do it beside what it may do already; undefined where no app can be given them. */
export function scopeWanted(
  caller: Pick<Caller, 'modules' | 'writable'>,
  { name, appsMayOnlyRead }: Module,
  effect: Scope['effect'],
): string | undefined {
  if (effect === 'write' && appsMayOnlyRead) return undefined;
  const had = caller.modules.filter((module) => module !== name || effect === 'read');
  const kept = had.map((module) => `${module}:${caller.writable?.includes(module) ? 'write' : 'read'}`);
  return [...kept, `${name}:${effect}`].join(' ');
}

/** Scopes as a caller has them. Who may write may read. */
export function permissionsOf(scopes: readonly string[]): {
  modules: string[];
  writable: string[];
  access: 'read' | 'write';
} {
  const found = scopes.map(scopeOf);
  const writable = found.filter(({ effect }) => effect === 'write').map(({ module }) => module);
  return {
    modules: [...new Set(found.map(({ module }) => module))],
    writable,
    access: writable.length > 0 ? 'write' : 'read',
  };
}
