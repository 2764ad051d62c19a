import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** Linux counts a process's time in hundredths of a second for whoever reads /proc, on every machine. */
const msPerTick = 10;

/** What the system calls the thread this runs in, or undefined where it has no name to look it up by. */
export function ownThreadId(): number | undefined {
  try {
    return Number(basename(readlinkSync('/proc/thread-self')));
  } catch {
    return undefined;
  }
}

/** How long a thread of this process has had a processor so far, or undefined where the system does not tell. */
export function processorMsOf(threadId: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/self/task/${threadId}/stat`, 'latin1');
    // The name comes second, in brackets, and may hold anything; time in user and in kernel mode are the 14th and 15th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return Number.isFinite(ticks) ? ticks * msPerTick : undefined;
  } catch {
    return undefined;
  }
}
