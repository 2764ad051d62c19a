import { z } from 'zod';
import { integer, list, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';

export const list_connections = operation({
  summary: "Lists the caller's connected apps and linked identities.",
  effect: 'read',
  input: {},
  output: {
    apps: list(
      'Connected apps, oldest first.',
      z.object({
        connection_id: text('Connection id; pass it to revoke_connection.'),
        client_id: text('Client id of the app.'),
        name: text('Name the app gave itself.'),
        host: text('Host that described the app, or to which it was sent back.'),
        scopes: list('Permissions, each as module:read or module:write.', z.string()),
        resource: text('Path of the address the app may call.'),
        create_time: integer('Unix milliseconds.'),
        last_used_time: integer('Time of last use in Unix milliseconds, up to ten seconds late; 0 means never used.'),
      }),
    ),
    identities: list(
      'Accounts elsewhere by which the caller can sign in, oldest first.',
      z.object({
        connection_id: text('Connection id; pass it to revoke_connection.'),
        issuer: text('Address of the OpenID provider.'),
        name: text('Name of the account there.'),
        create_time: integer('Unix milliseconds.'),
      }),
    ),
  },
  async run(_input, { apps, identities, caller, clock }) {
    const [connected, linked] = await Promise.all([
      apps.listGrants(caller.userId, clock.now()),
      identities.listIdentities(caller.userId),
    ]);
    return {
      apps: connected.map((grant) => ({
        connection_id: grant.id,
        client_id: grant.clientId,
        name: grant.clientName,
        host: grant.clientHost,
        scopes: grant.scopes,
        resource: grant.resource,
        create_time: grant.createdAt,
        last_used_time: grant.lastUsedAt ?? 0,
      })),
      identities: linked.map((identity) => ({
        connection_id: identity.id,
        issuer: identity.issuer,
        name: identity.name,
        create_time: identity.createdAt,
      })),
    };
  },
});
