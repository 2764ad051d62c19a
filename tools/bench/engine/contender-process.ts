import { performance } from 'node:perf_hooks';
import { median } from './clock.ts';
import type { Contender, ContenderName } from './contender.ts';
import { Facade } from './contenders/facade.ts';
import { HyperFormulaContender } from './contenders/hyperformula.ts';
import { IronCalc } from './contenders/ironcalc.ts';
import { OSpreadsheet } from './contenders/o-spreadsheet.ts';
import { Sheaf } from './contenders/sheaf.ts';
import { Univer } from './contenders/univer.ts';
import { workloads, type Figures } from './workloads.ts';

export interface Job {
  contender: ContenderName;
  workload: string;
  /** Root folder of the repository. */
  root: string;
  /** Fraction of the full sizes. */
  scale: number;
  runs: number;
}

/** One line of the child's output. */
export type Line = { ready: true } | { runs: number; figures: Figures; first: Figures } | { failed: string };

const enoughMs = 10_000;

/** Runs one workload with one contender in its own process. Reports line by line, so that a run cut off still counts. */
export async function child(job: Job): Promise<void> {
  const say = (line: Line): void => {
    process.stdout.write(`${JSON.stringify(line)}\n`);
  };
  // Silence the output of peers.
  for (const level of ['log', 'info', 'warn', 'error', 'debug', 'group', 'groupEnd'] as const)
    console[level] = () => undefined;
  const workload = workloads[job.workload];
  if (!workload) throw new Error(`there is no workload ${job.workload}`);
  try {
    const engine = await open(job);
    if (workload.needs && !engine[workload.needs]) {
      say({ failed: 'cannot do it in this form' });
      return;
    }
    const rows = workload.data(job.scale);
    say({ ready: true });
    const measured: Figures[] = [];
    const start = performance.now();
    do {
      measured.push(await workload.run(engine, rows));
      say({ runs: measured.length, figures: middle(measured), first: measured[0] ?? {} });
      // No forced garbage collection between runs, because it discards compiled code.
      engine.close?.();
    } while (measured.length < job.runs && performance.now() - start < enoughMs);
  } catch (error) {
    say({ failed: (error instanceof Error ? error.message : String(error)).split('\n')[0]?.slice(0, 120) ?? '' });
  }
  process.exit(0);
}

function middle(measured: readonly Figures[]): Figures {
  const [first] = measured;
  return Object.fromEntries(
    Object.keys(first ?? {}).map((key) => [key, median(measured.map((figures) => figures[key] ?? 0))]),
  );
}

async function open(job: Job): Promise<Contender> {
  switch (job.contender) {
    case 'sheaf':
      return new Sheaf();
    case 'facade':
      return new Facade();
    case 'hyperformula':
      return new HyperFormulaContender(job.root);
    case 'ironcalc':
      return IronCalc.load(job.root);
    case 'univer':
      return new Univer(job.root);
    case 'o-spreadsheet':
      return OSpreadsheet.load(job.root);
  }
}
