import { fileURLToPath } from 'node:url';
import { compareEngines } from './compare/engine.ts';
import { compareServers } from './compare/servers.ts';
import { checkOut, type Tree } from './compare/tree.ts';
import { told, type Interval } from './compare/turns.ts';

type Part = (ours: Tree, theirs: Tree, tell: (what: string, interval: Interval) => void) => Promise<void>;

const parts: Record<string, Part> = {
  engine: compareEngines,
  sheet: (...rest) => compareServers('sheet', ...rest),
  server: (...rest) => compareServers('server', ...rest),
};
const widest = 56;

/**
 * This tree, as it lies there, against another commit: processor time by turns in one run, so that a busy machine slows
 * both alike. 21 turns each, in seven rounds of fresh processes; a ratio under 1 means that this tree takes less.
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
  // What was started and checked out goes when the process exits, which a signal alone would not let it do.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const theirs = checkOut(root, ref);
  const ours = { name: 'this tree', folder: root };
  for (const name of wanted) {
    process.stdout.write(
      `\n${name}: processor time of this tree over that of ${theirs.name}, with its 95 % confidence interval\n`,
    );
    // Each as it is known: a run that is broken off has told something.
    await parts[name]!(
      ours,
      theirs,
      (what, interval) => void process.stdout.write(`  ${what.padEnd(widest)}  ${told(interval)}\n`),
    );
  }
}
