import type { Services } from '../context.ts';
import { runEvery, runInBackground } from '../lib/background-tasks.ts';
import { purgeExpiredNotes } from '../modules/note/purge-expired-notes.ts';
import type { SharedRateLimits } from '../kernel/shared-rate-limits.ts';
import type { CallTaskRunner } from '../kernel/call-task-runner.ts';
import type { NoteRoomStore } from '../ports/note-room-store.ts';
import { purgeDocuments } from '../modules/sheet/document-storage.ts';
import { collectWikiGarbage } from '../modules/wiki/garbage-collection.ts';
import { abortUnfinishedUploads } from '../modules/wiki/jobs/abort-unfinished-uploads.ts';
import type { ResourceStack } from './resource-stack.ts';
import type { StorageServices } from './open-storage.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/** Starts the maintenance tasks, each of which runs every hour. */
export function startMaintenance(
  services: Services,
  { audit, calls, jobs }: StorageServices,
  { limits, tasks: callTasks, rooms }: { limits: SharedRateLimits; tasks: CallTaskRunner; rooms: NoteRoomStore },
  opened: ResourceStack,
): void {
  const { clock } = services;
  const auditDays = services.config.SHEAF_AUDIT_DAYS;
  const keepAudit = async (): Promise<void> => {
    await audit.createUpcoming(clock.now());
    if (auditDays > 0) await audit.deleteBefore(clock.now() - auditDays * dayMs);
  };
  // Run this task at the start too and not only after an hour. A node may start at the end of a month, shortly before
  // the next month's partition of the audit table is needed.
  runInBackground('looking after the audit', keepAudit);
  const tasks: Record<string, () => unknown> = {
    'forgetting old answers': () => calls.deleteAnswersBefore(clock.now() - dayMs),
    'looking after the audit': keepAudit,
    'purging notes': () => purgeExpiredNotes(services),
    // Delete the shared editing state of notes (rooms) that was unused for 30 days. A client that was offline for
    // longer must merge its whole text instead of its single changes.
    'forgetting unused rooms of notes': () => rooms.deleteUnused(clock.now() - 30 * dayMs, 1000),
    'purging documents': () => purgeDocuments(services),
    'aborting unfinished uploads': () => abortUnfinishedUploads(services),
    'forgetting old jobs': () => jobs.deleteFinished(clock.now() - 7 * dayMs),
    'forgetting old rate limits': () => limits.deleteExpired(),
    'forgetting expired tasks': () => callTasks.deleteExpired(),
    'forgetting unused apps': () => services.apps.deleteExpired(clock.now() - dayMs),
    'cleaning knowledge bases': () => collectWikiGarbage(services),
  };
  for (const [name, work] of Object.entries(tasks))
    opened.add(name, runEvery(name, hourMs, work).unref(), (timer) => clearInterval(timer));
}
