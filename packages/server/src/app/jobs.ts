import { DeliverWebhook } from '../account/webhooks/deliver.ts';
import { JobRunner } from '../adapters/jobs/runner.ts';
import type { Services } from '../context.ts';
import { every } from '../lib/background.ts';
import { Unavailable } from '../ports/unavailable.ts';
import { ParseItem } from '../wiki/jobs/parse.ts';
import type { Opened } from './opened.ts';
import type { Storage } from './storage.ts';

/** How long a change waits at most before webhooks are told of it. */
const collectMs = 500;

/** Parses what was added and tells webhooks what changed, here or, where another process has the jobs, not at all. */
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
  // Whoever held a lease of this folder is gone.
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
      // The runner of jobs says that the database is away; what was written is there when it comes back.
      if (!(error instanceof Unavailable)) throw error;
    }
  };
  const timer = every(name, collectMs, () => (underWay = collect())).unref();
  opened.add(name, timer, async () => {
    clearInterval(timer);
    await underWay?.catch(() => undefined);
  });
}
