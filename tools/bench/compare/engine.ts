import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { externalPackagesPlugin } from '../../external-packages-plugin.mjs';
import { workloads, type Figures } from '../engine/workloads.ts';
import { compareInterleaved, intervalOf, type Interval, type Side } from './interleaved-runs.ts';
import type { Checkout } from './checkout.ts';

/** Workloads measured in processor time, which is reliable on a busy machine. */
const chosen = ['load', 'product', 'running', 'chain', 'fan', 'read', 'sort', 'vlookup', 'sumifs'];
/** Fraction of the full size. Runs are short, so that both sides run under the same machine load. */
const scale = 0.3;
export const warmUp = 5;

/** Runs this tree's workloads on the engines of both trees, each in a separate process. */
export async function compareEngines(
  ours: Checkout,
  theirs: Checkout,
  tell: (what: string, interval: Interval) => void,
): Promise<void> {
  const programs = await Promise.all(
    [ours, theirs].map(({ folder }) =>
      bundle(ours.folder, folder, join(benchOf(folder), 'engine', 'contenders', 'sheaf.ts'), 'Sheaf'),
    ),
  );
  try {
    for (const name of chosen) {
      const open = async (): Promise<[Side, Side]> => [side(programs[0]!.file, name), side(programs[1]!.file, name)];
      const found = await compareInterleaved(open, warmUp);
      for (const [key, logarithms] of Object.entries(found)) {
        tell(workloads[name]!.metrics[key]?.what ?? `${name} ${key}`, intervalOf(logarithms));
      }
    }
  } finally {
    await Promise.all(programs.map(({ folder }) => rm(folder, { recursive: true, force: true })));
  }
}

/** Returns the bench folder; older commits have it at the root. */
function benchOf(tree: string): string {
  const here = join(tree, 'tools', 'bench');
  return existsSync(here) ? here : join(tree, 'bench');
}

/** Builds a program in `tree` that runs a workload of `root` once with the contender for each line it reads from stdin. */
export async function bundle(
  root: string,
  tree: string,
  contender: string,
  className: string,
): Promise<{ folder: string; file: string }> {
  const folder = await mkdtemp(join(tree, 'node_modules', '.compare-'));
  const file = join(folder, 'engine.mjs');
  const contents = `
    import { createInterface } from 'node:readline';
    import { workloads } from ${JSON.stringify(join(root, 'tools', 'bench', 'engine', 'workloads.ts'))};
    import { ${className} } from ${JSON.stringify(contender)};
    const workload = workloads[process.argv[2]];
    const rows = workload.data(${scale});
    const engine = new ${className}();
    for await (const line of createInterface({ input: process.stdin })) {
      console.log(JSON.stringify(await workload.run(engine, rows)));
      engine.close?.();
    }`;
  await build({
    stdin: { contents, resolveDir: folder, loader: 'ts' },
    outfile: file,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    plugins: [externalPackagesPlugin],
    logLevel: 'warning',
  });
  return { folder, file };
}

export function side(file: string, workload: string): Side {
  const child = spawn(process.execPath, ['--max-old-space-size=4096', file, workload], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async run() {
      child.stdin.write('\n');
      const { value, done } = await lines.next();
      if (done) throw new Error(`the engine's process ended in ${workload}`);
      return JSON.parse(value) as Figures;
    },
    async stop() {
      process.removeListener('exit', kill);
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.stdin.end();
      await ended;
    },
  };
}
