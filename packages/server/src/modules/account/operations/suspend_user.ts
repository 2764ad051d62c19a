import { userStateOperation } from '../keys-and-sessions.ts';

export const suspend_user = userStateOperation(
  'Suspends a user, whose access ends with the next request.',
  'write',
  'suspended',
);
