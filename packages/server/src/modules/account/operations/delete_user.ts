import { userStateOperation } from '../keys-and-sessions.ts';

export const delete_user = userStateOperation(
  "Permanently closes a user's account and ends all its access. Content the user wrote is kept.",
  'destroy',
  'deleted',
);
