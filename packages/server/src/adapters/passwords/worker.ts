import { hashSync, verifySync } from '@node-rs/argon2';
import { answerTasks } from '../../lib/thread-body.ts';
import type { PasswordTask } from './thread.ts';

answerTasks<PasswordTask>({
  perform: ({ password, stored }) => (stored === undefined ? hashSync(password) : verifySync(stored, password)),
});
