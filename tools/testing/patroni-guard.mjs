// node patroni-guard.mjs <owner pid> <folder> <pid>...: waits until the owner process has ended. If the cluster still
// runs then, kills the given processes and every process whose command line mentions the folder.
import { readFileSync, readdirSync } from 'node:fs';

const [owner, folder, ...pids] = process.argv.slice(2);

setInterval(() => {
  try {
    process.kill(Number(owner), 0);
  } catch {
    const started = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && mentions(name));
    for (const pid of [...started, ...pids]) end(Number(pid));
    process.exit();
  }
}, 500);

function mentions(pid) {
  try {
    return Number(pid) !== process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder);
  } catch {
    return false;
  }
}

function end(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Ignore a process that has ended already.
  }
}
