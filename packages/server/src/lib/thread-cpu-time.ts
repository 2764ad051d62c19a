import { readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** Milliseconds per clock tick. On every Linux machine, /proc reports CPU time in ticks of 10 ms. */
const msPerTick = 10;

/** Returns the system's id of the current thread, or undefined if /proc is not available. */
export function currentThreadId(): number | undefined {
  try {
    return Number(basename(readlinkSync('/proc/thread-self')));
  } catch {
    return undefined;
  }
}

/** Returns the CPU time of a thread of this process in milliseconds, or undefined if /proc is not available. */
export function threadCpuMs(threadId: number): number | undefined {
  return cpuMsIn(`/proc/self/task/${threadId}/stat`);
}

/** Returns the CPU time of all threads of a process in milliseconds, or undefined if /proc is not available. */
export function processCpuMs(processId: number): number | undefined {
  return cpuMsIn(`/proc/${processId}/stat`);
}

function cpuMsIn(path: string): number | undefined {
  try {
    const stat = readFileSync(path, 'latin1');
    // Split only the text after the thread's name, because the name may contain spaces and parentheses. In that text,
    // fields 11 and 12 are the user and kernel time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return Number.isFinite(ticks) ? ticks * msPerTick : undefined;
  } catch {
    return undefined;
  }
}
