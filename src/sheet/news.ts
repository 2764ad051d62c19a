import type { Watch } from '../operation/module.ts';
import { systemStamp } from '../ports/stamp.ts';

export function documentTopic(fileId: string): string {
  return `sheet:${fileId}`;
}

/**
 * Every committed revision of a document: `{"version","user_id","key_id","tool","range","scope","shifts","at"}`. `scope`
 * lists what it changed ("cells", "layout", "objects", "sheets"); `shifts` are the rows or columns it inserted, deleted (a
 * negative count) or moved, in order: `{"sheet_id","axis","at","count","to"}`.
 */
export const watchDocument: Watch = async ({ caller, services, query }) => {
  const fileId = query('file_id') ?? '';
  const stamp = systemStamp(services.clock.now(), 'sheet.events', caller.userId);
  const { document } = await services.documents.access({ caller, stamp, reply: {} }, fileId, 'viewer');
  return { topic: documentTopic(fileId), first: { version: document.version } };
};
