import { report, type Row } from '../measure/report.ts';
import { median } from './clock.ts';
import type { ContenderName } from './contender.ts';
import { runInChildProcess } from './run-in-child-process.ts';
import { workloads } from './workloads.ts';

interface ColdStartOptions {
  root: string;
  /** Names of workloads. */
  only: readonly string[];
  peers: readonly ContenderName[];
  /** Fraction of the full sizes. */
  scale: number;
}

const usualGoal = 0.08;
/** Fresh processes for each engine and workload. */
const processes = 3;

/**
 * Measures the first run in a fresh process, as for a program that is started and used once. Reports the median of a few
 * alternating processes. Our engine is driven through `Workbook`, except for methods it lacks (insert, sort).
 */
export async function measureColdStart({ root, only, peers, scale }: ColdStartOptions): Promise<void> {
  const tally = { met: 0, missed: 0 };
  for (const name of only) {
    const workload = workloads[name];
    const metrics = Object.entries(workload?.metrics ?? {}).filter(([, { unit }]) => unit === 'ms');
    if (!workload || metrics.length === 0) continue;
    const ours = workload.needs === undefined || workload.needs === 'read' ? 'facade' : 'sheaf';
    const found = new Map<ContenderName, { figures: Record<string, number[]>; failed?: string }>();
    for (let turn = 0; turn < processes; turn++) {
      for (const contender of [ours, ...peers] as const) {
        const sofar = found.get(contender) ?? { figures: {} };
        found.set(contender, sofar);
        // A peer that failed once is skipped.
        if (sofar.failed !== undefined) continue;
        const outcome = await runInChildProcess({ contender, workload: name, root, scale, runs: 1 });
        if (outcome.runs === 0) sofar.failed = outcome.failed ?? 'nothing was measured';
        for (const [key, value] of Object.entries(outcome.first)) (sofar.figures[key] ??= []).push(value);
      }
    }
    const rows: Row[] = metrics.flatMap(([key, metric]) => {
      const firsts = [...found].flatMap(([contender, { figures }]) =>
        figures[key] ? [{ contender, first: median(figures[key]) }] : [],
      );
      const mine = firsts.find(({ contender }) => contender === ours);
      const fair = firsts.filter(
        ({ contender }) => contender !== ours && (metric.against === undefined || metric.against === contender),
      );
      const best = fair.toSorted((a, b) => a.first - b.first)[0];
      const goal = metric.cold ?? usualGoal;
      const own: Row = { what: metric.what, value: mine ? formatMs(mine.first) : (found.get(ours)?.failed ?? '-') };
      if (mine && best) {
        const ratio = mine.first / best.first;
        own.goal = `<= x ${goal} of ${best.contender}: x ${ratio.toFixed(3)}`;
        own.met = ratio <= goal;
      } else if (!mine) Object.assign(own, { goal: 'a figure', met: false });
      return [
        own,
        ...peers.map((contender): Row => {
          const theirs = firsts.find((one) => one.contender === contender);
          if (theirs) return { what: `  ${contender}`, value: formatMs(theirs.first) };
          return { what: `  ${contender}`, value: '-', goal: `left out: ${found.get(contender)?.failed ?? ''}` };
        }),
      ];
    });
    for (const row of rows) if (row.met !== undefined) tally[row.met ? 'met' : 'missed']++;
    report(`engine, cold: ${name}${scale === 1 ? '' : ' (a tenth of the size)'}`, rows);
  }
  process.stdout.write(`\n${tally.met} met, ${tally.missed} MISSED\n`);
}

function formatMs(ms: number): string {
  return `${ms.toFixed(ms < 1 ? 3 : ms < 100 ? 1 : 0)} ms`;
}
