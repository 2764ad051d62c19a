import { flag } from '../../../kernel/field-schemas.ts';
import { writeAndAnswer } from '../../../kernel/idempotent-answer.ts';
import { publishInboxChange } from '../../../kernel/inbox-events.ts';
import { operation } from '../../../kernel/operation.ts';
import { id, kind } from '../schema.ts';

export const unfollow = operation({
  summary: 'Stops following an object. Mentions still come.\nExample: {"kind":"note","id":"note_..."}',
  effect: 'write',
  idempotent: true,
  input: { kind: kind(), id: id() },
  output: { ended: flag('Whether it was followed.') },
  async run(resource, context) {
    const answer = await writeAndAnswer(
      context,
      () => context.inboxStore.unfollow(context.stamp, resource),
      (ended) => ({ ended }),
    );
    publishInboxChange(context, [context.caller.userId]);
    return answer;
  },
});
