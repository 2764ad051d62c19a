import { defineModule } from '../../kernel/module.ts';
import { inboxErrors } from './errors.ts';
import { watchInbox } from './events.ts';
import { follow } from './operations/follow.ts';
import { list_followed } from './operations/list_followed.ts';
import { list_inbox } from './operations/list_inbox.ts';
import { mark_inbox_read } from './operations/mark_inbox_read.ts';
import { unfollow } from './operations/unfollow.ts';

export const inbox = defineModule({
  name: 'inbox',
  title: 'Inbox',
  chineseTitle: '收件箱',
  summary:
    'What concerns a user: mentions, replies, shares, changes of what the user follows, and what agents did in the ' +
    "user's name.",
  errors: inboxErrors,
  watch: watchInbox,
  operations: { list_inbox, mark_inbox_read, follow, unfollow, list_followed },
});
