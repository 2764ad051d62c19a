import { userStateOperation } from '../keys-and-sessions.ts';

export const resume_user = userStateOperation('Reactivates a suspended user.', 'write', 'active');
