import { fail } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { findGrantee, requireOwned, writeShares } from '../resource-access.ts';
import { granteeFields, resourceFields, sharedWith, toSharedWith } from '../schema.ts';

export const unshare = operation({
  summary:
    'Ends a share. It holds at once, on every node. Owners only.\n' +
    'Example: {"kind":"note","id":"note_...","user_name":"ada"}',
  effect: 'destroy',
  input: { ...resourceFields, ...granteeFields },
  output: sharedWith,
  async run(input, context) {
    const resource = await requireOwned(context, input, 'write');
    const grantee = await findGrantee(context, input);
    return writeShares(
      context,
      resource,
      grantee,
      () => context.permissions.revoke(context.stamp, resource, grantee),
      (isDone) => {
        if (isDone) return toSharedWith(resource, grantee);
        throw fail(
          'not_found',
          `id: it is not shared with that ${grantee.kind === 'everyone' ? 'group' : grantee.kind}`,
        );
      },
    );
  },
});
