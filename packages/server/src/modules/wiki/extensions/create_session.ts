import { newId } from '../../../lib/ids.ts';
import { text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { wikiLimits, refuseBlocked, writeAndNotify } from '../wiki-writes.ts';
import { title, messages } from '../schema.ts';

export const create_session = operation({
  summary:
    'Saves an AI conversation. Use add_knowledge with media_type 12 to add it to a knowledge base.\n' +
    'Example: {"title":"Trip to Rome","messages":[{"role":"user","content":"Three days in Rome?"}]}',
  effect: 'write',
  input: { title: title('Description.'), messages: messages(0).optional() },
  output: { session_id: text('The new session.') },
  async run(input, context) {
    refuseBlocked(context, 'title', input.title);
    const session = {
      id: newId('session'),
      userId: context.caller.userId,
      title: input.title,
      messages: input.messages ?? [],
    };
    return writeAndNotify(
      context,
      undefined,
      () => context.wiki.sessions.createSession(context.stamp, session, wikiLimits(context)),
      () => ({ session_id: session.id }),
    );
  },
});
