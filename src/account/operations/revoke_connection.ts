import { z } from 'zod';
import { accessChanged } from '../../operation/access.ts';
import { fail } from '../../operation/errors.ts';
import { nothing, text } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';

export const revoke_connection = operation({
  name: 'revoke_connection',
  summary: 'Disconnects an app or identity at once.',
  effect: 'destroy',
  input: z.object({ connection_id: text('From list_connections.', { min: 1, max: 64 }) }),
  output: nothing,
  async run({ connection_id: id }, context) {
    const { apps, identities, caller, stamp } = context;
    const done =
      (await apps.endGrant(stamp, caller.userId, id)) || (await identities.removeIdentity(stamp, caller.userId, id));
    if (!done) throw fail('not_found', `connection_id: there is no connection ${JSON.stringify(id)}`);
    accessChanged(context, { user_id: caller.userId });
    return {};
  },
});
