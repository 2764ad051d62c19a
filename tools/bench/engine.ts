import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measureColdStart } from './engine/cold-start.ts';
import { contenders, type ContenderName } from './engine/contender.ts';
import { runInChildProcess, type Outcome } from './engine/run-in-child-process.ts';
import { workloads, type Metric } from './engine/workloads.ts';
import { report, type Row } from './measure/report.ts';

export { child } from './engine/contender-process.ts';

/** Maximum number of runs; short workloads repeat more often, because the first runs are not yet compiled. */
const maxRuns = 11;

/**
 * Compares the spreadsheet engine with HyperFormula, IronCalc, Univer and o-spreadsheet. Every engine and workload runs in
 * its own process. Reports the median processor time of all threads over up to eleven runs or ten seconds, and the ratio to
 * the best peer of this run. A peer with no result after a minute of processor time, or with a wrong one, is left out with
 * a message.
 *
 * `cold` measures only the first run, in fresh processes (engine/cold-start.ts).
 *
 *   npm run bench -- engine [cold] [--only NAME[,NAME]] [--peers NAME[,NAME]] [--quick] [--without-peers]
 */
export async function run(args: readonly string[] = []): Promise<void> {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const only = listed(args, '--only') ?? Object.keys(workloads);
  const peers = listed(args, '--peers');
  for (const name of only) {
    if (!workloads[name])
      throw new Error(`--only: there is no workload '${name}'; there are ${Object.keys(workloads).join(', ')}`);
  }
  const installed = existsSync(join(root, 'tools', 'bench', 'node_modules', 'hyperformula'));
  const alone = args.includes('--without-peers') || !installed;
  if (!installed) process.stdout.write('the peers are not installed: npm install --prefix tools/bench\n');
  const quick = args.includes('--quick');
  if (args[0] === 'cold') {
    const chosen = alone ? [] : contenders.filter((name) => name !== 'sheaf' && peers?.includes(name) !== false);
    return measureColdStart({ root, only, peers: chosen, scale: quick ? 0.1 : 1 });
  }
  const tally = { met: 0, missed: 0 };
  for (const name of only) {
    const outcomes = new Map<ContenderName, Outcome>();
    for (const contender of contenders) {
      if (contender !== 'sheaf' && (alone || peers?.includes(contender) === false)) continue;
      outcomes.set(
        contender,
        await runInChildProcess({ contender, workload: name, root, scale: quick ? 0.1 : 1, runs: quick ? 1 : maxRuns }),
      );
    }
    const rows = Object.entries(workloads[name]?.metrics ?? {}).flatMap(([key, metric]) =>
      rowsOf(key, metric, outcomes),
    );
    for (const row of rows) if (row.met !== undefined) tally[row.met ? 'met' : 'missed']++;
    report(`engine, ${name}${quick ? ' (a tenth of the size, one run)' : ''}`, rows);
  }
  process.stdout.write(`\n${tally.met} met, ${tally.missed} MISSED\n`);
}

function listed(args: readonly string[], flag: string): string[] | undefined {
  return args.includes(flag) ? (args[args.indexOf(flag) + 1] ?? '').split(',') : undefined;
}

function rowsOf(key: string, metric: Metric, outcomes: ReadonlyMap<ContenderName, Outcome>): Row[] {
  const ours = outcomes.get('sheaf');
  const mine = ours?.figures[key];
  const peers = [...outcomes].filter(([name, { figures }]) => name !== 'sheaf' && figures[key] !== undefined);
  const fair = metric.against === undefined ? peers : peers.filter(([name]) => name === metric.against);
  const best = fair.reduce<number | undefined>(
    (least, [, { figures }]) => Math.min(least ?? Infinity, figures[key] ?? Infinity),
    undefined,
  );
  const left = (name: string, outcome: Outcome): Row => ({
    what: `  ${name}`,
    value: '-',
    goal: `left out: ${outcome.failed ?? 'nothing was measured'}`,
  });
  const rows: Row[] = [];
  if (ours === undefined || mine === undefined)
    rows.push({ what: metric.what, value: ours?.failed ?? '-', goal: 'a figure', met: false });
  else if (metric.unit === 'bytes') {
    rows.push({ what: metric.what, value: mine.toFixed(1), goal: `<= ${metric.goal}`, met: mine <= metric.goal });
  } else if (best === undefined) rows.push({ what: metric.what, value: formatOutcome(ours, key) });
  else {
    const ratio = mine / best;
    const winner = fair.find(([, { figures }]) => figures[key] === best)?.[0] ?? '';
    rows.push({
      what: metric.what,
      value: formatOutcome(ours, key),
      goal: `<= x ${metric.goal} of ${winner}: x ${ratio.toFixed(3)}`,
      met: ratio <= metric.goal,
    });
  }
  for (const [name, outcome] of outcomes) {
    if (name === 'sheaf') continue;
    const figure = outcome.figures[key];
    if (figure === undefined) rows.push(left(name, outcome));
    else
      rows.push({
        what: `  ${name}`,
        value: metric.unit === 'bytes' ? figure.toFixed(1) : formatOutcome(outcome, key),
      });
  }
  return rows;
}

/** Formats the median, the first run and the number of runs. */
function formatOutcome({ figures, first, runs }: Outcome, key: string): string {
  return `${digits(figures[key] ?? 0)} ms (first ${digits(first[key] ?? 0)}, runs ${runs})`;
}

function digits(value: number): string {
  return value.toFixed(value < 1 ? 3 : value < 100 ? 1 : 0);
}
