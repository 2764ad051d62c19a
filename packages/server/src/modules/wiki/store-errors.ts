import { fail, type Failure } from '../../kernel/errors.ts';
import { quotaMessage } from '../../kernel/quota-message.ts';
import type { WikiRefusal } from '../../ports/wiki-store.ts';
import type { wikiErrors } from './errors.ts';

const errorNames: Record<WikiRefusal['reason'], keyof typeof wikiErrors> = {
  no_base: 'no_permission',
  no_item: 'no_permission',
  no_folder: 'no_permission',
  no_session: 'no_permission',
  no_folder_in_base: 'no_permission',
  no_node_in_base: 'no_permission',
  no_space: 'no_space',
  title_taken: 'conflict',
  folder_name_taken: 'conflict',
  too_many_tags: 'invalid_parameter',
  too_many_messages: 'invalid_parameter',
  too_many_copies: 'invalid_parameter',
  too_deep: 'invalid_parameter',
  cycle: 'invalid_parameter',
  last_owner: 'invalid_parameter',
  personal: 'invalid_parameter',
  foreign_note: 'no_permission',
};

export function toFailure(why: WikiRefusal): Failure {
  return fail(errorNames[why.reason], describeRefusal(why));
}

export function describeRefusal(why: WikiRefusal): string {
  switch (why.reason) {
    case 'no_base':
      return 'knowledge_base_id: the knowledge base is gone';
    case 'no_item':
      return `media_id: there is no item ${JSON.stringify(why.id)} that you may use`;
    case 'no_folder':
      return `media_id: there is no folder ${JSON.stringify(why.id)} that you may use`;
    case 'no_session':
      return `session_id: there is no session ${JSON.stringify(why.id)} of yours`;
    case 'no_folder_in_base':
      return `folder_id: there is no folder ${JSON.stringify(why.id)} in this knowledge base`;
    case 'no_node_in_base':
      return `media_ids: there is no item or folder ${JSON.stringify(why.id)} in this knowledge base`;
    case 'no_space':
      return quotaMessage(why);
    case 'title_taken':
      return `title: that folder already contains an item ${JSON.stringify(why.title)} (duplicate_name_strategy is reject)`;
    case 'folder_name_taken':
      return `name: a folder ${JSON.stringify(why.name)} already exists there`;
    case 'too_many_tags':
      return `tags: an item can have at most ${why.limit} tags, and the item ${JSON.stringify(why.id)} would have ${why.count}`;
    case 'too_many_messages':
      return `messages: a session can contain at most ${why.limit} messages, and this would make ${why.count}`;
    case 'too_many_copies':
      return (
        `media_ids: one call copies at most ${why.limit} items and folders, and these are more; ` +
        'copy the subfolders one at a time'
      );
    case 'too_deep':
      return `folders can be nested ${why.limit} levels deep, and this would make ${why.levels}`;
    case 'cycle':
      return 'target_folder_id: a folder cannot be moved into itself or one of its subfolders';
    case 'last_owner':
      return (
        'user_id: a knowledge base needs at least one owner; make another member an owner first, ' +
        'or delete the knowledge base'
      );
    case 'personal':
      return "knowledge_base_id: a user's first knowledge base cannot be deleted; delete its contents instead";
    case 'foreign_note':
      return (
        `media_ids: only its author can add the note or session ${JSON.stringify(why.id)} ` +
        'to another knowledge base'
      );
  }
}
