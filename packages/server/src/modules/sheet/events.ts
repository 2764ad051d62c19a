import type { SubscriptionResolver } from '../../kernel/module.ts';
import { systemStamp } from '../../ports/audit-stamp.ts';

export function documentTopic(fileId: string): string {
  return `sheet:${fileId}`;
}

/**
 * Returns the topic of presence messages. In these messages clients announce which user views the document and which
 * cells that user has selected. They are not stored.
 */
export function presenceTopic(fileId: string): string {
  return `presence:${fileId}`;
}

/**
 * Subscribes a client to a document's events. Each committed revision gives one event:
 * `{"version","user_id","key_id","tool","range","scope","shifts","at"}`. `scope` lists what changed ("cells", "layout",
 * "objects", "sheets"). `shifts` lists inserted, deleted (negative count) or moved rows or columns, in order, each as
 * `{"sheet_id","axis","at","count","to"}`; it is absent if there are too many.
 *
 * The event `{"version","reset":true}` means that the database was restored, so clients must reload everything. With
 * the query parameter `people=1`, the client also gets presence messages (who views the document, and where):
 * `{"presence":{"client","user_id","key_id","name","is_agent","place","left"}}`.
 */
export const watchDocument: SubscriptionResolver = async ({ caller, services, query }) => {
  const fileId = query('file_id') ?? '';
  const stamp = systemStamp(services.clock.now(), 'sheet.events', caller.userId);
  const { document } = await services.documents.access({ caller, stamp, reply: {} }, fileId, 'viewer');
  return {
    topic: documentTopic(fileId),
    also: query('people') === '1' ? [presenceTopic(fileId)] : [],
    first: { version: document.version },
  };
};
