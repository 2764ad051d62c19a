import { publishAccessChange } from '../../../kernel/access-changes.ts';
import { fail } from '../../../kernel/errors.ts';
import { text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { writeAndAnswer } from '../../../kernel/idempotent-answer.ts';

export const revoke_connection = operation({
  summary: 'Disconnects an app or identity at once.',
  effect: 'destroy',
  input: { connection_id: text('From list_connections.', { min: 1, max: 64 }) },
  output: {},
  async run({ connection_id: id }, context) {
    const { apps, identities, caller, stamp } = context;
    const asApp = () => apps.endGrant(stamp, caller.userId, id);
    const asIdentity = () => identities.removeIdentity(stamp, caller.userId, id);
    const answer = (isDone: boolean) => (isDone ? {} : undefined);
    const data = (await writeAndAnswer(context, asApp, answer)) ?? (await writeAndAnswer(context, asIdentity, answer));
    if (!data) throw fail('not_found', `connection_id: there is no connection ${JSON.stringify(id)}`);
    publishAccessChange(context, { user_id: caller.userId });
    return data;
  },
});
