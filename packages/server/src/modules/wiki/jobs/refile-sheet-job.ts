import type { Services } from '../../../context.ts';
import { Failure } from '../../../kernel/errors.ts';
import { systemStamp, type Stamp } from '../../../ports/audit-stamp.ts';
import { JobFailed, type Job, type JobHandler } from '../../../ports/job-queue.ts';
import { refileJob, WikiRefused, type Item } from '../../../ports/wiki-store.ts';
import { publishBaseEvent } from '../events.ts';
import { exportAsFile, storeFile } from '../receive-file.ts';
import { toFailure } from '../store-errors.ts';
import { wikiLimits } from '../wiki-writes.ts';

const noAccess =
  'The spreadsheet has changed since, but the person who filed it here may no longer read it or change this knowledge ' +
  'base, so this copy stays as it is.';

/**
 * Job that replaces the copy of a spreadsheet in a knowledge base by its newest version. It runs as the user who added
 * the spreadsheet to the knowledge base, and the copy is charged to that user's quota.
 */
export class RefileSheetJob implements JobHandler {
  readonly kind = refileJob;
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  async run(job: Job): Promise<void> {
    const { wiki, sheets, searchFeed } = this.#services;
    const item = await wiki.items.item(job.subject);
    if (!item || item.deletedAt !== null || item.filedVersion === 0) return;
    const [document] = await sheets.byIds([item.contentId]);
    if (!document || document.deletedAt !== null || document.version <= item.filedVersion) return;
    if (!(await this.#mayStill(item))) throw new JobFailed(noAccess);
    const stamp = this.#stamp(item);
    try {
      const by = { caller: { userId: item.userId }, stamp, reply: {} };
      const { filed, ...bytes } = await exportAsFile(this.#services, by, item.contentId);
      const sent = { file_name: item.fileName, content_type: item.contentType };
      const upload = await storeFile(this.#services, item.userId, item.baseId, sent, bytes);
      const limits = wikiLimits(this.#services);
      if (!(await wiki.items.refileItem(stamp, item.id, item.version, upload, limits, filed))) return;
    } catch (error) {
      const failure = error instanceof WikiRefused ? toFailure(error.why) : error;
      if (!(failure instanceof Failure)) throw error;
      throw new JobFailed(`The spreadsheet has changed since, but could not be copied: ${failure.message}`, {
        cause: error,
      });
    }
    searchFeed.wake();
    this.#publish(item);
  }

  async giveUp(job: Job, reason: string): Promise<void> {
    const { wiki } = this.#services;
    const item = await wiki.items.item(job.subject);
    if (!item || item.filedVersion === 0 || item.reason === reason) return;
    if (await wiki.texts.setReason(this.#stamp(item), item.id, item.version, reason)) this.#publish(item);
  }

  /** Returns whether the user who added the spreadsheet may still read it and change the knowledge base. */
  async #mayStill({ contentId, baseId, userId }: Item): Promise<boolean> {
    const { permissions, wiki } = this.#services;
    const [role, base] = await Promise.all([
      permissions.role('sheet', contentId, userId),
      wiki.bases.base(baseId, userId),
    ]);
    return role !== undefined && base !== undefined && base.role !== 'viewer';
  }

  #stamp(item: Item): Stamp {
    return systemStamp(this.#services.clock.now(), `job:${refileJob}`, item.userId);
  }

  #publish({ baseId, userId, id }: Item): void {
    const news = { user_id: userId, key_id: '', operation: `job:${refileJob}`, target: id };
    publishBaseEvent(this.#services, baseId, news);
  }
}
