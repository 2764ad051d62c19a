import { fail } from '../../../kernel/errors.ts';
import { writeAndAnswer } from '../../../kernel/idempotent-answer.ts';
import { publishInboxChange } from '../../../kernel/inbox-events.ts';
import { operation } from '../../../kernel/operation.ts';
import { requireVisible } from '../../../kernel/resource-kinds.ts';
import { FollowRefused } from '../../../ports/inbox-store.ts';
import { id, kind } from '../schema.ts';

export const follow = operation({
  summary:
    'Follows a note, notebook, knowledge base or spreadsheet: what others change in it comes into the inbox. Who comments ' +
    'on a note or cell follows it already.\nExample: {"kind":"sheet","id":"doc_..."}',
  effect: 'write',
  idempotent: true,
  input: { kind: kind(), id: id() },
  output: {},
  async run(resource, context) {
    await requireVisible(context, resource, 'read');
    try {
      return await writeAndAnswer(context, () => context.inboxStore.follow(context.stamp, resource));
    } catch (error) {
      if (!(error instanceof FollowRefused)) throw error;
      const { count, limit } = error.why;
      throw fail('limit_exceeded', `id: you follow ${count} objects, at most ${limit}; unfollow one first`);
    } finally {
      publishInboxChange(context, [context.caller.userId]);
    }
  },
});
