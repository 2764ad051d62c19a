import { queries, sheaf } from '../lib/client.ts';

/** A note with nothing but a heading, for the editor to open with it selected. */
export async function newNote(folder: string | undefined, title: string): Promise<string> {
  const { note_id: id } = await sheaf.note.import_doc({
    content_format: 1,
    content: `# ${title}\n`,
    folder_id: folder,
  });
  void queries.invalidateQueries({ queryKey: ['notes'] });
  void queries.invalidateQueries({ queryKey: ['notebooks'] });
  return id;
}
