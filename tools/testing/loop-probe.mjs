/**
 * Loaded into a server before it starts (`--import`): writes down every long turn of the main thread's event loop, in processor
 * time of that thread alone, so that neither a busy machine nor worker threads change it.
 */
import { appendFileSync, openSync, readSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const report = process.env['LOOP_PROBE'];
const longMs = 20;

if (isMainThread && report) {
  // The first number is the nanoseconds this thread has run; its id is that of the process.
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  const bytes = Buffer.alloc(64);
  const used = () => {
    readSync(file, bytes, 0, bytes.length, 0);
    return Number(bytes.toString('latin1').split(' ', 1)[0]) / 1e6;
  };
  let last = used();
  // An immediate that keeps nobody awake runs once in each turn, and the thread still sleeps where there is nothing to do.
  const look = () => {
    const now = used();
    if (now - last > longMs) appendFileSync(report, `${(now - last).toFixed(1)}\n`);
    last = used();
    setImmediate(look).unref();
  };
  setImmediate(look).unref();
}
