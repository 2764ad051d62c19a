import { fail } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { findGrantee, requireOwned, writeShares } from '../resource-access.ts';
import { granteeFields, resourceFields, role, sharedWith, toSharedWith } from '../schema.ts';

export const share = operation({
  summary:
    'Shares a note, notebook, knowledge base or spreadsheet with a user, a group or everyone who is signed in, or changes ' +
    'their role. A notebook shares what is in it. Owners only.\n' +
    'Example: {"kind":"note","id":"note_...","user_name":"ada","role":"write"}',
  effect: 'write',
  idempotent: true,
  input: { ...resourceFields, ...granteeFields, role: role() },
  output: { ...sharedWith, role: role() },
  async run(input, context) {
    const resource = await requireOwned(context, input, 'write');
    const grantee = await findGrantee(context, input);
    if (grantee.kind === 'user') {
      const held = await context.permissions.role(resource.kind, resource.id, grantee.id);
      if (held === 'own' && (resource.kind !== 'base' || grantee.id === context.caller.userId))
        throw fail('conflict', "user_id: the owner's own access cannot be changed");
    }
    return writeShares(
      context,
      resource,
      grantee,
      () => context.permissions.grant(context.stamp, resource, grantee, input.role),
      () => ({ ...toSharedWith(resource, grantee), role: input.role }),
    );
  },
});
