import type { Context } from '../../context.ts';
import { encodeCursor } from '../../lib/cursor.ts';
import { zipStream, type ZipFile } from '@sheaf/files/zip/stream-writer';
import { readCursor } from '../../kernel/paging.ts';
import type { Note } from '../../ports/note-store.ts';

/**
 * Number of bytes of Markdown after which one zip archive of an export ends, so that it fits into an answer. The last
 * note in the archive may exceed the limit.
 */
const partBytes = 4 * 2 ** 20;
const batch = 50;
/** Maximum length of a file name without its ending. File systems allow 255 bytes, and an id may be appended. */
const maxNameLength = 80;
const maxNameBytes = 200;

/**
 * Returns a file name for the title, without the characters and reserved names that Windows and other systems refuse.
 */
export function safeFileName(title: string, ending: string): string {
  const safe = title
    // eslint-disable-next-line no-control-regex
    .replace(/[\u0000-\u001f\u007f<>:"/\\|?*]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^\.+|[. ]+$/g, '');
  const cut = cutName(safe).replace(/[. ]+$/, '');
  const name = /^(con|prn|aux|nul|com\d|lpt\d)$/i.test(cut) ? `${cut}_` : cut;
  return `${name === '' ? 'note' : name}.${ending}`;
}

function cutName(name: string): string {
  const signs = [...name].slice(0, maxNameLength);
  while (Buffer.byteLength(signs.join('')) > maxNameBytes) signs.pop();
  return signs.join('');
}

/**
 * Packs notes into a zip archive: the note `only` if it is given, otherwise the notes after the cursor until the
 * archive is large enough. `next` is the cursor for the next archive, or '' if this is the last one.
 */
export async function buildZipPart(
  context: Context,
  only: Note | undefined,
  cursor: string,
): Promise<{ bytes: Uint8Array; next: string }> {
  const scope = `export_note ${context.caller.userId}`;
  const names = new Set<string>();
  const folders = only ? new Map<string, string>() : await folderPaths(context);
  let next = '';
  let size = 0;
  async function* files(): AsyncGenerator<ZipFile> {
    for await (const note of only ? [only] : notesFrom(context, scope, cursor)) {
      const markdown = await context.notes.markdown(note.id);
      if (markdown === undefined) continue;
      const path = uniquePath(names, folders.get(note.notebookId) ?? '', note);
      yield { path, modifiedAt: note.modifiedAt, pack: true, open: async () => bytesOf(markdown) };
      size += note.size;
      if (size < partBytes || only) continue;
      next = encodeCursor(scope, [note.createdAt, note.id]);
      return;
    }
  }
  const chunks: Buffer[] = [];
  for await (const chunk of zipStream(files())) chunks.push(chunk);
  return { bytes: Buffer.concat(chunks), next };
}

async function* bytesOf(markdown: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(markdown);
}

async function* notesFrom(context: Context, scope: string, cursor: string): AsyncGenerator<Note> {
  const [value, id] = (cursor === '0' ? undefined : readCursor(scope, cursor, 'a previous page')) ?? [];
  let after = typeof value === 'number' && typeof id === 'string' ? { value, id } : undefined;
  for (;;) {
    const notes = await context.notes.list({ userId: context.caller.userId, order: 'created', after, limit: batch });
    yield* notes;
    const last = notes.at(-1);
    if (!last) return;
    after = { value: last.createdAt, id: last.id };
  }
}

function uniquePath(names: Set<string>, folder: string, note: Note): string {
  const name = `${folder}${safeFileName(note.title, 'md')}`;
  const fresh = names.has(name.toLowerCase()) ? name.replace(/\.md$/, ` ${note.id}.md`) : name;
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
        parts.unshift(safeFileName(at.name, '').slice(0, -1));
      return [notebook.id, `${parts.join('/')}/`];
    }),
  );
}
