import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, side, warmUp } from './compare/engine.ts';
import { compareInterleaved, intervalOf } from './compare/interleaved-runs.ts';
import { workloads } from './engine/workloads.ts';
import { report, type Row } from './measure/report.ts';

const chosen = ['load', 'product', 'running', 'chain', 'fan'];
const goal = 1.1;

/**
 * Measures the overhead of `Workbook` over `WorkbookCore` in processor time: the same work through both, alternating.
 * `Workbook` is filled by `fromRows` and by one `set`.
 *
 *   npm run bench -- facade [NAME ...]
 */
export async function run(args: readonly string[] = []): Promise<void> {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const contenders = join(root, 'tools', 'bench', 'engine', 'contenders', 'facade.ts');
  const [inside, ...facades] = await Promise.all(
    ['Inside', 'Facade', 'FacadeBulk'].map((name) => bundle(root, root, contenders, name)),
  );
  try {
    for (const name of chosen) {
      if (args.length > 0 && !args.includes(name)) continue;
      const rows: Row[] = [];
      for (const [index, filled] of ['fromRows', 'set'].entries()) {
        const found = await compareInterleaved(
          async () => [side(facades[index]!.file, name), side(inside!.file, name)],
          warmUp,
        );
        for (const [key, logarithms] of Object.entries(found)) {
          const { ratio, low, high } = intervalOf(logarithms);
          rows.push({
            what: `${workloads[name]?.metrics[key]?.what ?? key}, ${filled}`,
            value: `x ${ratio.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`,
            goal: `<= x ${goal} of the core`,
            met: ratio <= goal,
          });
        }
      }
      report(`engine, facade over core: ${name}`, rows);
    }
  } finally {
    await Promise.all([inside!, ...facades].map(({ folder }) => rm(folder, { recursive: true, force: true })));
  }
}
