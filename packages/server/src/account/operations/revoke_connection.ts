import { z } from 'zod';
import { accessChanged } from '../../operation/access.ts';
import { fail } from '../../operation/errors.ts';
import { nothing, text } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { answered } from '../../operation/stored-answer.ts';

export const revoke_connection = operation({
  name: 'revoke_connection',
  summary: 'Disconnects an app or identity at once.',
  effect: 'destroy',
  input: z.object({ connection_id: text('From list_connections.', { min: 1, max: 64 }) }),
  output: nothing,
  async run({ connection_id: id }, context) {
    const { apps, identities, caller, stamp } = context;
    const asApp = () => apps.endGrant(stamp, caller.userId, id);
    const asIdentity = () => identities.removeIdentity(stamp, caller.userId, id);
    const answer = (isDone: boolean) => (isDone ? {} : undefined);
    const data = (await answered(context, asApp, answer)) ?? (await answered(context, asIdentity, answer));
    if (!data) throw fail('not_found', `connection_id: there is no connection ${JSON.stringify(id)}`);
    accessChanged(context, { user_id: caller.userId });
    return data;
  },
});
