import { DeliverWebhook } from '../account/webhooks/deliver.ts';
import { JobRunner } from '../adapters/jobs/runner.ts';
import type { Services } from '../context.ts';
import { every } from '../lib/background.ts';
import { Unavailable } from '../ports/unavailable.ts';
import { ParseItem } from '../wiki/jobs/parse.ts';
import type { Opened } from './opened.ts';
import type { Storage } from './storage.ts';

/** Maximum delay before a change is collected for webhooks. */
const collectMs = 500;

/** Opens the job runner, which parses items and delivers webhooks. It does not start if another process runs the jobs. */
export async function openJobs(
  services: Services,
  { database, jobs }: Storage,
  isRunning: boolean,
  opened: Opened,
): Promise<JobRunner> {
  const runner = new JobRunner({
    queue: jobs,
    handlers: [new ParseItem(services), new DeliverWebhook(services)],
    log: services.log,
  });
  opened.add('the jobs', runner, () => runner.stop());
  if (!isRunning) return runner;
  // Only one process uses the folder, so the holders of earlier leases are dead.
  if (database.dialect.name === 'sqlite') await jobs.endLeases();
  runner.start();
  startCollecting(services, runner, opened);
  return runner;
}

function startCollecting({ webhooks }: Services, runner: JobRunner, opened: Opened): void {
  const name = 'telling webhooks';
  let underWay: Promise<void> | undefined;
  const collect = async (): Promise<void> => {
    try {
      if ((await webhooks.collect()) > 0) runner.poke();
    } catch (error) {
      // The job runner reports a lost database connection; the writes are collected when it returns.
      if (!(error instanceof Unavailable)) throw error;
    }
  };
  const timer = every(name, collectMs, () => (underWay = collect())).unref();
  opened.add(name, timer, async () => {
    clearInterval(timer);
    await underWay?.catch(() => undefined);
  });
}
