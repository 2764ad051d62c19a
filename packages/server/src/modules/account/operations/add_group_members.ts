import { groupMembersOperation } from '../groups.ts';

export const add_group_members = groupMembersOperation(
  'Adds users to a group. They get what is shared with it.\nExample: {"group_id":"group_...","user_ids":["user_..."]}',
  'addMembers',
);
