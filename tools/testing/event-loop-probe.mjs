/**
 * Preloaded into a server (`--import`) to log every long turn of the main thread's event loop. It measures processor
 * time of that thread, so that neither machine load nor worker threads affect the result.
 */
import { appendFileSync, openSync, readSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const report = process.env['LOOP_PROBE'];
const longMs = 20;

if (isMainThread && report) {
  // The first number in the file is the thread's run time in nanoseconds. The main thread's id equals the process id.
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  const bytes = Buffer.alloc(64);
  const used = () => {
    readSync(file, bytes, 0, bytes.length, 0);
    return Number(bytes.toString('latin1').split(' ', 1)[0]) / 1e6;
  };
  let last = used();
  // An unreferenced immediate runs once in each turn and does not keep the thread awake.
  const look = () => {
    const now = used();
    if (now - last > longMs) appendFileSync(report, `${(now - last).toFixed(1)}\n`);
    last = used();
    setImmediate(look).unref();
  };
  setImmediate(look).unref();
}
