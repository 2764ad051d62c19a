import { strToU8, Zip, ZipDeflate } from 'fflate';
import type { Context } from '../context.ts';
import { decodeCursor, encodeCursor } from '../lib/cursor.ts';
import { fail } from '../operation/errors.ts';
import { show } from '../operation/parse.ts';
import type { Note } from '../ports/note-store.ts';

/** Markdown of one part; small enough to travel in an answer. */
const partBytes = 4 * 2 ** 20;
const batch = 50;
const maxNameLength = 80;

/** A name that every file system takes. */
export function fileName(title: string, ending: string): string {
  const safe = title
    // eslint-disable-next-line no-control-regex
    .replace(/[\u0000-\u001f\u007f<>:"/\\|?*]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^\.+|[. ]+$/g, '');
  const cut = [...safe].slice(0, maxNameLength).join('').trim();
  const name = /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(cut) ? `${cut}_` : cut;
  return `${name === '' ? 'note' : name}.${ending}`;
}

/** The notes from a cursor on, as one zip; '' as next when they are all in. */
export async function zipPart(
  context: Context,
  only: Note | undefined,
  cursor: string,
): Promise<{ bytes: Uint8Array; next: string }> {
  const scope = `export_note ${context.caller.userId}`;
  const chunks: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(chunk);
  });
  const names = new Set<string>();
  const folders = only ? new Map<string, string>() : await folderPaths(context);
  let next = '';
  let size = 0;
  for await (const note of only ? [only] : notesFrom(context, scope, cursor)) {
    const markdown = await context.notes.markdown(note.id);
    if (markdown === undefined) continue;
    addFile(zip, freshName(names, folders.get(note.notebookId) ?? '', note), markdown, note.modifiedAt);
    size += note.size;
    if (size >= partBytes && !only) {
      next = encodeCursor(scope, [note.createdAt, note.id]);
      break;
    }
  }
  zip.end();
  return { bytes: Buffer.concat(chunks), next };
}

async function* notesFrom(context: Context, scope: string, cursor: string): AsyncGenerator<Note> {
  const [value, id] = cursor === '' || cursor === '0' ? [] : (decodeCursor(scope, cursor) ?? ['']);
  if (value === '')
    throw fail('invalid_parameter', `cursor: must be "" or the next_cursor of a previous page (got ${show(cursor)})`);
  let after = typeof value === 'number' && typeof id === 'string' ? { value, id } : undefined;
  for (;;) {
    const notes = await context.notes.list({ userId: context.caller.userId, order: 'created', after, limit: batch });
    yield* notes;
    const last = notes.at(-1);
    if (!last) return;
    after = { value: last.createdAt, id: last.id };
  }
}

function addFile(zip: Zip, name: string, markdown: string, modifiedAt: number): void {
  const file = new ZipDeflate(name, { level: 6 });
  // Zip files know no time before 1980.
  file.mtime = Math.max(modifiedAt, Date.UTC(1980, 0, 2));
  zip.add(file);
  file.push(strToU8(markdown), true);
}

function freshName(names: Set<string>, folder: string, note: Note): string {
  const name = `${folder}${fileName(note.title, 'md')}`;
  const fresh = names.has(name.toLowerCase()) ? `${folder}${fileName(`${note.title} ${note.id}`, 'md')}` : name;
  names.add(fresh.toLowerCase());
  return fresh;
}

async function folderPaths(context: Context): Promise<Map<string, string>> {
  const notebooks = await context.notes.notebooks(context.caller.userId, { limit: 1000 });
  const byId = new Map(notebooks.map((notebook) => [notebook.id, notebook]));
  return new Map(
    notebooks.map((notebook) => {
      const parts: string[] = [];
      for (let at: typeof notebook | undefined = notebook; at && parts.length < 1000; at = byId.get(at.parentId))
        parts.unshift(fileName(at.name, '').slice(0, -1));
      return [notebook.id, `${parts.join('/')}/`];
    }),
  );
}
