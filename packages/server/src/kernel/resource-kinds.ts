import type { Caller, Context } from '../context.ts';
import { modulesOfKinds, type AccessRole, type Resource, type ResourceKind } from '../ports/permission-store.ts';
import { mayWrite } from './access-changes.ts';
import { fail, type Failure } from './errors.ts';
import { formatValue } from './parse-input.ts';

/**
 * Returns whether the caller's API key or app may read or write objects of the kind, such as notes or spreadsheets. The
 * key or app needs access to a module that works with such objects.
 */
export function mayUseKind(caller: Caller, kind: ResourceKind, effect: 'read' | 'write'): boolean {
  return modulesOfKinds[kind].some(
    (module) =>
      (caller.modules.includes('*') || caller.modules.includes(module)) &&
      (effect === 'read' || mayWrite(caller, module)),
  );
}

/** Throws unless the caller's API key or app may read or write objects of the kind, such as notes or spreadsheets. */
export function requireKind({ caller }: Pick<Context, 'caller'>, kind: ResourceKind, effect: 'read' | 'write'): void {
  if (mayUseKind(caller, kind, effect)) return;
  const modules = modulesOfKinds[kind].join(' or ');
  throw fail(
    'no_permission',
    `kind: this API key has no ${effect} access to the module ${modules}, which ${kind} needs`,
  );
}

/**
 * Returns the caller's role for an object. Throws the same error for a missing object and for one that the caller may
 * not see, so that callers cannot find out which ids exist. `effect` is the access that the caller's API key needs to
 * objects of this kind.
 */
export async function requireVisible(
  context: Pick<Context, 'caller' | 'permissions'>,
  { kind, id }: Resource,
  effect: 'read' | 'write',
): Promise<AccessRole> {
  requireKind(context, kind, effect);
  const role = /^[\w-]{1,80}$/.test(id) ? await context.permissions.role(kind, id, context.caller.userId) : undefined;
  if (!role) throw notVisible(kind, id);
  return role;
}

export function notVisible(kind: ResourceKind, id: string): Failure {
  return fail('not_found', `id: there is no ${kind} ${formatValue(id)} that you may see`);
}
