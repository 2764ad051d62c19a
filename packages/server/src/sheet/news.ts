import type { Watch } from '../operation/module.ts';
import { systemStamp } from '../ports/stamp.ts';

export function documentTopic(fileId: string): string {
  return `sheet:${fileId}`;
}

/** Where those who have the document open say where they are. Nothing of it is kept. */
export function presenceTopic(fileId: string): string {
  return `presence:${fileId}`;
}

/**
 * Every committed revision of a document: `{"version","user_id","key_id","tool","range","scope","shifts","at"}`. `scope`
 * lists what it changed ("cells", "layout", "objects", "sheets"); `shifts` are the rows or columns it inserted, deleted (a
 * negative count) or moved, in order: `{"sheet_id","axis","at","count","to"}`. `{"version","reset":true}` says that the database
 * was put back: revisions that were told may be gone, so everything is to be read again. With `people=1`
 * also who is here, as `announce` tells it: `{"presence":{"client","user_id","key_id","name","is_agent","place","left"}}`.
 */
export const watchDocument: Watch = async ({ caller, services, query }) => {
  const fileId = query('file_id') ?? '';
  const stamp = systemStamp(services.clock.now(), 'sheet.events', caller.userId);
  const { document } = await services.documents.access({ caller, stamp, reply: {} }, fileId, 'viewer');
  return {
    topic: documentTopic(fileId),
    also: query('people') === '1' ? [presenceTopic(fileId)] : [],
    first: { version: document.version },
  };
};
