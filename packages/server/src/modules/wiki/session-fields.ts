import { z } from 'zod';
import { integer, list, oneOf, text } from '../../kernel/field-schemas.ts';
import type { AiSession } from '../../ports/wiki-store.ts';

export const sessionId = () => text('The session.', { min: 1, max: 256 });
const role = () => oneOf('Role of the speaker.', ['user', 'assistant', 'system', 'tool']);

export const messages = (min: number) =>
  list(
    'Messages in order, at most 200 per call.',
    z.object({ role: role(), content: text('Text of the message.', { max: 100_000 }) }),
    { min, max: 200 },
  );

export const messageInfo = z.object({
  role: role(),
  content: text('Text of the message.'),
  create_time: integer('Unix milliseconds.'),
});

export const sessionInfo = z.object({
  session_id: text('The session.'),
  title: text('Its title.'),
  message_number: integer('Number of messages.'),
  create_time: integer('Unix milliseconds.'),
  update_time: integer('Unix milliseconds.'),
});

export function toSessionInfo(session: AiSession): z.input<typeof sessionInfo> {
  return {
    session_id: session.id,
    title: session.title,
    message_number: session.messageCount,
    create_time: session.createdAt,
    update_time: session.modifiedAt,
  };
}
