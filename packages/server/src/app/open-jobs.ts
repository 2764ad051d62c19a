import { WebhookDeliveryJob } from '../modules/account/webhooks/delivery-job.ts';
import { JobRunner } from '../adapters/jobs/job-runner.ts';
import type { Services } from '../context.ts';
import type { RecentActivity } from '../kernel/recent-activity.ts';
import { runEvery } from '../lib/background-tasks.ts';
import { Unavailable } from '../ports/availability-errors.ts';
import { largeParseJob } from '../ports/wiki-store.ts';
import { ParseItemJob } from '../modules/wiki/jobs/parse-item-job.ts';
import { RefileSheetJob } from '../modules/wiki/jobs/refile-sheet-job.ts';
import type { ResourceStack } from './resource-stack.ts';
import type { StorageServices } from './open-storage.ts';

/** Interval in milliseconds at which changes are collected for webhooks. */
const collectMs = 500;
/**
 * Interval in milliseconds at which changes are collected for webhooks when no data was written for some time. It is
 * longer than `collectMs`, to save database queries.
 */
const quietCollectMs = 15_000;

/**
 * Opens the runner of background jobs, which parse files, update copies of spreadsheets in knowledge bases and deliver
 * webhooks. It is started only if `isRunning` is true, that is, if this process is to run jobs.
 */
export async function openJobs(
  services: Services,
  { database, jobs, activity }: StorageServices,
  isRunning: boolean,
  opened: ResourceStack,
): Promise<JobRunner> {
  const runner = new JobRunner({
    queue: jobs,
    handlers: [
      new ParseItemJob(services),
      new ParseItemJob(services, { kind: largeParseJob }),
      new RefileSheetJob(services),
      new WebhookDeliveryJob(services),
    ],
    log: services.log,
    isQuiet: () => activity?.isQuiet ?? false,
    onJob: () => activity?.note(),
  });
  opened.add('the jobs', runner, () => runner.stop());
  if (!isRunning) return runner;
  // End all leases on jobs. With SQLite, only one process runs jobs, so the processes that held these leases have
  // ended.
  if (database.dialect.name === 'sqlite') await jobs.endLeases();
  runner.start();
  activity?.onResume(() => runner.wake());
  startWebhookCollection(services, runner, activity, opened);
  return runner;
}

function startWebhookCollection(
  { webhooks }: Services,
  runner: JobRunner,
  activity: RecentActivity | undefined,
  opened: ResourceStack,
): void {
  const name = 'telling webhooks';
  let underWay: Promise<void> | undefined;
  let collectedAt = 0;
  const collect = async (): Promise<void> => {
    if (activity?.isQuiet && performance.now() - collectedAt < quietCollectMs) return;
    collectedAt = performance.now();
    try {
      if ((await webhooks.collect()) > 0) runner.wake();
    } catch (error) {
      // Ignore a lost database connection, because the job runner reports it, and the changes are collected once the
      // connection is back.
      if (!(error instanceof Unavailable)) throw error;
    }
  };
  const timer = runEvery(name, collectMs, () => (underWay = collect())).unref();
  opened.add(name, timer, async () => {
    clearInterval(timer);
    await underWay?.catch(() => undefined);
  });
}
