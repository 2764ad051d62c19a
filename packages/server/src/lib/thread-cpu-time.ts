import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** /proc reports CPU time in ticks of 10 ms on every Linux machine. */
const msPerTick = 10;

/** The system's id of the current thread; undefined if /proc is not available. */
export function currentThreadId(): number | undefined {
  try {
    return Number(basename(readlinkSync('/proc/thread-self')));
  } catch {
    return undefined;
  }
}

/** CPU time of a thread of this process in milliseconds; undefined if /proc is not available. */
export function threadCpuMs(threadId: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/self/task/${threadId}/stat`, 'latin1');
    // The name is field 2, in parentheses, and may hold any character; user and kernel time are fields 14 and 15.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return Number.isFinite(ticks) ? ticks * msPerTick : undefined;
  } catch {
    return undefined;
  }
}
