/*
 * Inputs of the first requests of each page, used by the pages' queries and by the prefetch in the boot chunk. A
 * prefetched response is found by the JSON of its input, so the order of the keys matters.
 */

/** Size of a tile, the unit in which cells are requested from the server. */
export const tileRows = 128;
export const tileCols = 32;

/** Number of recent notes, knowledge bases and sheets requested for the home page. */
const recentCount = 8;
export const recentInput = { cursor: '', limit: recentCount };
export const recentBasesInput = { query: '', ...recentInput };
/**
 * Input for the user's latest writes in the audit log. The home page requests writes by people and by API keys or apps
 * separately.
 */
export const writesInput = (by: 'people' | 'apps') => ({ user_id: 'me', by, limit: 100 });

export const noteInput = (id: string) => ({ note_id: id, format: 'markdown' as const });
export const noteVersionInput = (id: string) => ({ note_id: id, limit: 1 });
export const notesInput = (folder: string | undefined, tag?: string, sort = 0 as 0 | 1 | 2) => ({
  folder_id: folder,
  tag,
  sort_type: sort,
  limit: 50,
});
export const basesInput = (cursor = '') => ({ query: '', cursor, limit: 20 });
export const baseInput = (id: string) => ({ ids: [id] });
export const documentsInput = (cursor = '') => ({ cursor, limit: 50 });
export const documentInput = (id: string) => ({ file_id: id });
export const tabsInput = (id: string) => ({ file_id: id, object_types: ['sheet' as const] });

export function folderInput(base: string, folder: string, cursor = '') {
  return { knowledge_base_id: base, folder_id: folder, cursor, limit: 50 };
}
