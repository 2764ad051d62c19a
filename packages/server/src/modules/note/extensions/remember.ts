import { fail } from '../../../kernel/errors.ts';
import { text } from '../../../kernel/field-schemas.ts';
import { writeAndAnswer } from '../../../kernel/idempotent-answer.ts';
import { operation } from '../../../kernel/operation.ts';
import { quotaMessage } from '../../../kernel/quota-message.ts';
import { newId } from '../../../lib/ids.ts';
import { MemoryRefused } from '../../../ports/memory-store.ts';
import { appName, appOf } from '../memory/owner-app.ts';
import { maxAboutLength, maxTextLength } from '../memory/schema.ts';

export const remember = operation({
  summary:
    'Notes something for later conversations, for this app and its person only, who can read and erase it. recall finds ' +
    'it.\nExample: {"text":"Reports go out on Mondays, in euros","about":"Ada"}',
  effect: 'write',
  isOneWrite: true,
  input: {
    text: text('One fact, with what is needed to understand it alone.', { min: 1, max: maxTextLength }),
    about: text('Person, project or object.', { max: maxAboutLength }).optional(),
  },
  output: { memory_id: text('Its id, for forget.') },
  async run(input, context) {
    const { memories, caller, stamp, config } = context;
    if (input.text.trim() === '') throw fail('invalid_parameter', 'text: must not be blank');
    const id = newId('memory');
    const memory = {
      id,
      userId: caller.userId,
      appId: appOf(caller),
      appName: await appName(context),
      text: input.text,
      about: input.about ?? '',
      createdAt: stamp.at,
    };
    try {
      return await writeAndAnswer(
        context,
        () => memories.add(stamp, memory, { quotaBytes: config.SHEAF_QUOTA_BYTES }),
        () => ({ memory_id: id }),
      );
    } catch (error) {
      if (!(error instanceof MemoryRefused)) throw error;
      if (error.why.reason === 'no_space') throw fail('no_space', `text: ${quotaMessage(error.why)}`);
      throw fail(
        'invalid_parameter',
        `text: this app has noted ${error.why.count} memories, at most ${error.why.limit}; forget some first`,
      );
    }
  },
});
