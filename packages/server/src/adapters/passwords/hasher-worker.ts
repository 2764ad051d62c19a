import { hashSync, verifySync } from '@node-rs/argon2';
import { handleTasks } from '../../lib/thread-worker.ts';
import type { PasswordTask } from './threaded-hasher.ts';

handleTasks<PasswordTask>({
  perform: ({ password, stored }) => (stored === undefined ? hashSync(password) : verifySync(stored, password)),
});
