import type { Services } from '../context.ts';
import { every, inBackground } from '../lib/background.ts';
import { purgeNotes } from '../note/housekeeping.ts';
import type { SharedLimits } from '../operation/shared-limits.ts';
import type { CallTasks } from '../operation/tasks.ts';
import { purgeDocuments } from '../sheet/storage.ts';
import { cleanWiki } from '../wiki/housekeeping.ts';
import { abortUnfinishedUploads } from '../wiki/jobs/unfinished-uploads.ts';
import type { Opened } from './opened.ts';
import type { Storage } from './storage.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/** Starts the hourly maintenance tasks; each key is the name for the log. */
export function startHousekeeping(
  services: Services,
  { audit, calls, jobs }: Storage,
  { limits, tasks: callTasks }: { limits: SharedLimits; tasks: CallTasks },
  opened: Opened,
): void {
  const { clock } = services;
  const auditDays = services.config.SHEAF_AUDIT_DAYS;
  const keepAudit = async (): Promise<void> => {
    await audit.prepare(clock.now());
    if (auditDays > 0) await audit.forgetBefore(clock.now() - auditDays * dayMs);
  };
  // Also run at the start, because a node may be started at the end of a month.
  inBackground('looking after the audit', keepAudit);
  const tasks: Record<string, () => unknown> = {
    'forgetting old answers': () => calls.forgetAnswersBefore(clock.now() - dayMs),
    'looking after the audit': keepAudit,
    'purging notes': () => purgeNotes(services),
    'purging documents': () => purgeDocuments(services),
    'aborting unfinished uploads': () => abortUnfinishedUploads(services),
    'forgetting old jobs': () => jobs.forget(clock.now() - 7 * dayMs),
    'forgetting old rate limits': () => limits.forgetOld(),
    'forgetting expired tasks': () => callTasks.forgetExpired(),
    'forgetting unused apps': () => services.apps.forgetBefore(clock.now() - dayMs),
    'cleaning knowledge bases': () => cleanWiki(services),
  };
  for (const [name, work] of Object.entries(tasks))
    opened.add(name, every(name, hourMs, work).unref(), (timer) => clearInterval(timer));
}
