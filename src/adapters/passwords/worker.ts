import { parentPort } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';
import type { PasswordAnswer, PasswordTask } from './thread.ts';

function answer({ id, password, stored }: PasswordTask): PasswordAnswer {
  try {
    return stored === undefined ? { id, hash: hashSync(password) } : { id, matches: verifySync(stored, password) };
  } catch (error) {
    return { id, error: String(error) };
  }
}

parentPort?.on('message', (task: PasswordTask) => parentPort?.postMessage(answer(task)));
