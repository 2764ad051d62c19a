import { hashSync, verifySync } from '@node-rs/argon2';
import { handleWorkerTasks } from '../../lib/handle-worker-tasks.ts';
import type { PasswordTask } from './threaded-hasher.ts';

handleWorkerTasks<PasswordTask>({
  perform: ({ password, stored }) => (stored === undefined ? hashSync(password) : verifySync(stored, password)),
});
