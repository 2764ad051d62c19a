import { z } from 'zod';
import { integer, list, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';

export const list_sessions = operation({
  summary: "Lists the caller's browser sessions.",
  effect: 'read',
  input: {},
  output: {
    sessions: list(
      'Oldest first.',
      z.object({
        session_id: text('Session id; pass it to end_session.'),
        create_time: integer('Unix milliseconds.'),
        expire_time: integer('Unix milliseconds.'),
        device: text('Browser and system that signed in; empty if unknown.'),
        current: z.boolean().meta({ description: 'Whether this call was made from this session.' }),
      }),
    ),
  },
  async run(_input, { accounts, caller }) {
    const sessions = await accounts.listSessions(caller.userId);
    return {
      sessions: sessions.map((session) => ({
        session_id: session.id,
        create_time: session.createdAt,
        expire_time: session.expiresAt,
        device: session.device,
        current: session.id === caller.keyId,
      })),
    };
  },
});
