import { fileURLToPath } from 'node:url';
import { compareEngines } from './compare/engine.ts';
import { compareServers } from './compare/servers.ts';
import { checkOut, type Checkout } from './compare/checkout.ts';
import { formatInterval, type Interval } from './compare/interleaved-runs.ts';

type Part = (ours: Checkout, theirs: Checkout, tell: (what: string, interval: Interval) => void) => Promise<void>;

const parts: Record<string, Part> = {
  engine: compareEngines,
  sheet: (...rest) => compareServers('sheet', ...rest),
  server: (...rest) => compareServers('server', ...rest),
};
const widest = 56;

/**
 * Compares the processor time of the working tree with another commit. Both alternate in one run, so that load on the
 * machine affects both equally: 21 runs each, in seven rounds of fresh processes. A ratio below 1 means that the working
 * tree is faster.
 *
 *   npm run bench -- compare REF [--part engine[,sheet,server]]
 */
export async function run(args: readonly string[] = []): Promise<void> {
  const [ref, flag, list] = args;
  const wanted = flag === undefined ? Object.keys(parts) : (list ?? '').split(',');
  const unknown = wanted.filter((name) => !parts[name]);
  if (ref === undefined || ref.startsWith('-') || (flag !== undefined && flag !== '--part') || unknown.length > 0) {
    throw new Error(`usage: npm run bench -- compare REF [--part ${Object.keys(parts).join('|')}]`);
  }
  // Exit on signals, so that the exit handlers stop child processes and remove the checkout.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const theirs = checkOut(root, ref);
  const ours = { name: 'this tree', folder: root };
  for (const name of wanted) {
    process.stdout.write(
      `\n${name}: processor time of this tree over that of ${theirs.name}, with its 95 % confidence interval\n`,
    );
    // Print each result at once, so that an interrupted run still reports something.
    await parts[name]!(
      ours,
      theirs,
      (what, interval) => void process.stdout.write(`  ${what.padEnd(widest)}  ${formatInterval(interval)}\n`),
    );
  }
}
