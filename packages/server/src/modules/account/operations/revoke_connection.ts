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
    const { apps, identities, caller, stamp, clock } = context;
    const isApp = (await apps.listGrants(caller.userId, clock.now())).some((grant) => grant.id === id);
    // Check that the id exists before writing. A write that finds nothing would record the id, which may be any text,
    // in the audit log.
    const isKnown = isApp || (await identities.listIdentities(caller.userId)).some((identity) => identity.id === id);
    const disconnect = (): Promise<boolean> =>
      isApp ? apps.endGrant(stamp, caller.userId, id) : identities.removeIdentity(stamp, caller.userId, id);
    const data = isKnown
      ? await writeAndAnswer(context, disconnect, (isDone: boolean) => (isDone ? {} : undefined))
      : undefined;
    if (!data) throw fail('not_found', `connection_id: there is no connection ${JSON.stringify(id)}`);
    publishAccessChange(context, { user_id: caller.userId });
    return data;
  },
});
