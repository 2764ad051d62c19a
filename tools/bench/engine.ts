import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { contenders } from './engine/contenders/peers.ts';
import { workloads, type Contender, type Figures, type Metric } from './engine/workloads.ts';
import { arePeersInstalled, atMost, median, report, type Row } from './measure/figures.ts';

type ContenderName = keyof typeof contenders;

interface Job {
  contender: ContenderName;
  workload: string;
  /** Fraction of the full workload size. */
  scale: number;
  runs: number;
}

interface Outcome {
  figures: Figures;
  /** Figures of the first run, in which most code is not JIT-compiled yet. */
  first: Figures;
  runs: number;
  /** Reason why there are no figures. Only meaningful if figures are missing. */
  failed?: string;
}

/** Maximum number of runs per workload. Several runs are needed, because code is not JIT-compiled in the first ones. */
const maxRuns = 11;
const enoughMs = 10_000;
/** Number of processes per engine and workload in `cold` mode, where only the first run of each process counts. */
const coldProcesses = 3;
const coldGoal = 0.08;
const peerNames = ['hyperformula', 'ironcalc', 'univer', 'o-spreadsheet'] as const;

/**
 * Compares the spreadsheet engine with other engines (peers): HyperFormula, IronCalc, Univer and o-spreadsheet. Each
 * engine and workload runs in a separate process. Reports for most workloads the median processor time of all threads
 * over up to eleven runs or ten seconds, and the ratio to the best peer. A peer without a result after a minute of
 * processor time, or with a wrong result, is omitted with a message.
 *
 * `cold` measures the first run in fresh processes, as in a program that uses the engine once. Our engine is then
 * called through its public class `Workbook`, except for operations that `Workbook` lacks (insert, sort).
 *
 *    npm run bench -- engine [cold] [--only NAME[,NAME]] [--peers NAME[,NAME]] [--quick] [--without-peers]
 */
export async function run(args: readonly string[] = []): Promise<void> {
  const listed = (flag: string): string[] | undefined =>
    args.includes(flag) ? (args[args.indexOf(flag) + 1] ?? '').split(',') : undefined;
  const only = listed('--only') ?? Object.keys(workloads);
  for (const name of only) {
    if (!workloads[name])
      throw new Error(`--only: there is no workload '${name}'; there are ${Object.keys(workloads).join(', ')}`);
  }
  const isCold = args[0] === 'cold';
  const isQuick = args.includes('--quick');
  const withPeers = !args.includes('--without-peers') && arePeersInstalled();
  const peers = withPeers ? peerNames.filter((name) => listed('--peers')?.includes(name) !== false) : [];
  const scale = isQuick ? 0.1 : 1;
  const size = isQuick ? ' (a tenth of the size, one run)' : '';
  let met = 0;
  let missed = 0;
  for (const name of only) {
    const { metrics, needs } = workloads[name]!;
    const measured = Object.entries(metrics).filter(([, { unit }]) => !isCold || unit === undefined);
    if (measured.length === 0) continue;
    const ours = isCold && (needs === undefined || needs === 'read') ? 'facade' : 'sheaf';
    const outcomes = new Map<ContenderName, Outcome[]>();
    for (let turn = 0; turn < (isCold ? coldProcesses : 1); turn++) {
      for (const contender of [ours, ...peers] as const) {
        const sofar = outcomes.get(contender) ?? [];
        // Skip an engine that has failed in an earlier round.
        if (sofar.some(({ runs }) => runs === 0)) continue;
        const job = { contender, workload: name, scale, runs: isCold || isQuick ? 1 : maxRuns };
        outcomes.set(contender, [...sofar, await runInChildProcess(job)]);
      }
    }
    const [own, ...others] = [...outcomes].map(([contender, list]) => [contender, merged(list)] as const);
    const rows = measured.flatMap(([key, metric]) => rowsOf(key, metric, [own!, ...others], isCold));
    for (const row of rows) {
      if (row.met === true) met++;
      if (row.met === false) missed++;
    }
    report(`engine, ${isCold ? 'cold: ' : ''}${name}${size}`, rows);
  }
  process.stdout.write(`\n${met} met, ${missed} MISSED\n`);
}

function medians(list: readonly Figures[]): Figures {
  const keys = Object.keys(list[0] ?? {});
  return Object.fromEntries(keys.map((key) => [key, median(list.map((figures) => figures[key]!))]));
}

function merged(outcomes: readonly Outcome[]): Outcome {
  const measured = outcomes.filter(({ runs }) => runs > 0);
  return {
    figures: medians(measured.map(({ figures }) => figures)),
    first: medians(measured.map(({ first }) => first)),
    runs: outcomes[0]!.runs,
    failed: outcomes.at(-1)!.failed ?? 'nothing was measured',
  };
}

type NamedOutcome = readonly [name: ContenderName, outcome: Outcome];
/** Outcomes of all engines; ours comes first. */
type Found = readonly [ours: NamedOutcome, ...peers: NamedOutcome[]];

/** Returns the report rows of a metric: one for our engine, one per peer. */
function rowsOf(key: string, metric: Metric, [[, ours], ...peers]: Found, isCold: boolean): Row[] {
  const digits = (value: number): string => value.toFixed(value < 1 ? 3 : value < 100 ? 1 : 0);
  const shown = ({ figures, first, runs }: Outcome): string => {
    const figure = figures[key]!;
    if (metric.unit === 'bytes') return figure.toFixed(1);
    return `${digits(figure)} ms${isCold ? '' : ` (first ${digits(first[key]!)}, runs ${runs})`}`;
  };
  const fair = peers.filter(([name, { figures }]) => key in figures && (metric.against ?? name) === name);
  const [best] = fair.toSorted(([, a], [, b]) => a.figures[key]! - b.figures[key]!);
  const goal = isCold ? (metric.cold ?? coldGoal) : metric.goal;
  const { what } = metric;
  const mine = ours.figures[key];
  let own: Row;
  if (mine === undefined) own = { what, value: ours.failed ?? '-', goal: 'a figure', met: false };
  else if (metric.unit === 'bytes') own = atMost(what, mine, goal, shown(ours));
  else if (!best) own = { what, value: shown(ours) };
  else {
    const ratio = mine / best[1].figures[key]!;
    own = atMost(what, ratio, goal, shown(ours));
    own.goal = `<= x ${goal} of ${best[0]}: x ${ratio.toFixed(3)}`;
  }
  const others = peers.map(([name, outcome]): Row =>
    key in outcome.figures
      ? { what: `  ${name}`, value: shown(outcome) }
      : { what: `  ${name}`, value: '-', goal: `left out: ${outcome.failed}` },
  );
  return [own, ...others];
}

const limitSeconds = 60;
/**
 * Wall-time limit of a child process in milliseconds. It ends engines that hang without using processor time, for
 * example waiting for a timer.
 */
const idleMs = 300_000;

/**
 * Runs the exported function `child` in a new process. Returns the last outcome that the process printed before it
 * ended or was killed at a time limit.
 */
async function runInChildProcess(job: Job): Promise<Outcome> {
  const script = `import(${JSON.stringify(import.meta.url)}).then((bench) => bench.child(${JSON.stringify(job)}))`;
  const node = [process.execPath, '--expose-gc', '--max-old-space-size=6144', '--input-type=module', '--eval', script];
  const started = spawn('sh', ['-c', `ulimit -t ${limitSeconds}; exec "$@"`, 'sh', ...node], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: idleMs,
    killSignal: 'SIGKILL',
  });
  const [told, errors] = await Promise.all([text(started.stdout), text(started.stderr)]);
  const lines = told.split('\n').filter((line) => /^\{.*\}$/.test(line));
  const outcome: Outcome = { figures: {}, first: {}, runs: 0, ...(JSON.parse(lines.at(-1) ?? '{}') as object) };
  if (outcome.runs === 0) {
    const reason = errors.split('\n').find((line) => /error|fatal/i.test(line));
    outcome.failed ??= reason?.trim().slice(0, 120) ?? `no answer within ${limitSeconds} s of processor time`;
  }
  return outcome;
}

/**
 * Runs one workload with one of the compared engines; called in a child process. Prints the outcome after every run,
 * so that an interrupted job still has a result.
 */
export async function child(job: Job): Promise<void> {
  const say = (outcome: Partial<Outcome>): unknown => process.stdout.write(`${JSON.stringify(outcome)}\n`);
  // Keep the compared engines from printing anything, because the parent process reads the outcome from stdout.
  for (const level of ['log', 'info', 'warn', 'error', 'debug', 'group', 'groupEnd'] as const)
    console[level] = () => undefined;
  const workload = workloads[job.workload]!;
  const measured: Figures[] = [];
  try {
    const engine: Contender = await contenders[job.contender]();
    if (workload.needs && !engine[workload.needs]) throw new Error('cannot do it in this form');
    const rows = workload.data(job.scale);
    const start = performance.now();
    do {
      measured.push(await workload.run(engine, rows));
      say({ runs: measured.length, figures: medians(measured), first: measured[0]! });
      // Do not force a garbage collection between runs, because it would discard compiled code.
      engine.close?.();
    } while (measured.length < job.runs && performance.now() - start < enoughMs);
  } catch (error) {
    const failed = (error instanceof Error ? error.message : String(error)).split('\n')[0]!.slice(0, 120);
    if (measured.length === 0) say({ failed });
  }
  process.exit(0);
}
