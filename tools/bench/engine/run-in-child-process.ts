import { spawn } from 'node:child_process';
import type { Job, Line } from './contender-process.ts';
import type { Figures } from './workloads.ts';

const limitSeconds = 60;
/** Time limit for engines that wait forever for a timer. */
const idleMs = 300_000;

export interface Outcome {
  figures: Figures;
  /** Figures of the first run, before anything is compiled. */
  first: Figures;
  runs: number;
  /** Reason why there are no figures. */
  failed?: string;
}

/** Runs `child` of this bundle in a new process and collects its output until it ends or times out. */
export function runInChildProcess(job: Job): Promise<Outcome> {
  const script = `import(${JSON.stringify(import.meta.url)}).then((bench) => bench.child(${JSON.stringify(job)}))`;
  const node = [process.execPath, '--expose-gc', '--max-old-space-size=6144', '--input-type=module', '--eval', script];
  const started = spawn('sh', ['-c', `ulimit -t ${limitSeconds}; exec "$@"`, 'sh', ...node], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const outcome: Outcome = { figures: {}, first: {}, runs: 0 };
  let pending = '';
  let errors = '';
  const timer = setTimeout(() => started.kill('SIGKILL'), idleMs);
  const hear = (line: Line): void => {
    if ('figures' in line) Object.assign(outcome, line);
    else if ('failed' in line) outcome.failed = line.failed;
  };
  started.stdout.on('data', (chunk: Buffer) => {
    const lines = (pending + chunk.toString()).split('\n');
    pending = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('{')) hear(JSON.parse(line) as Line);
  });
  started.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-4000);
  });
  return new Promise((resolve, reject) => {
    started.on('error', reject);
    started.on('close', (code, signal) => {
      clearTimeout(timer);
      if (signal && outcome.runs === 0) outcome.failed = `no answer within ${limitSeconds} s of processor time`;
      else if (code !== 0 && outcome.runs === 0)
        outcome.failed ??= `its process ended with code ${code}: ${lastLine(errors)}`;
      resolve(outcome);
    });
  });
}

function lastLine(text: string): string {
  return (
    text
      .split('\n')
      .find((line) => /error|fatal/i.test(line))
      ?.trim()
      .slice(0, 120) ?? ''
  );
}
