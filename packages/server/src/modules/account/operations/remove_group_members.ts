import { groupMembersOperation } from '../groups.ts';

export const remove_group_members = groupMembersOperation(
  'Removes users from a group. They lose what is shared with it at their next request.\n' +
    'Example: {"group_id":"group_...","user_ids":["user_..."]}',
  'removeMembers',
);
