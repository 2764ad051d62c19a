import { z } from 'zod';
import { integer, list, nothing, text } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';

export const list_sessions = operation({
  name: 'list_sessions',
  summary: 'Lists where the caller is signed in to the page.',
  effect: 'read',
  input: nothing,
  output: z.object({
    sessions: list(
      'Oldest first.',
      z.object({
        session_id: text('For ending it.'),
        create_time: integer('Unix milliseconds.'),
        expire_time: integer('Unix milliseconds.'),
        current: z.boolean().meta({ description: 'Whether this call came from it.' }),
      }),
    ),
  }),
  async run(_input, { accounts, caller }) {
    const sessions = await accounts.listSessions(caller.userId);
    return {
      sessions: sessions.map((session) => ({
        session_id: session.id,
        create_time: session.createdAt,
        expire_time: session.expiresAt,
        current: session.id === caller.keyId,
      })),
    };
  },
});
