import { z } from 'zod';
import { fail } from '../../kernel/errors.ts';
import { cursor, text } from '../../kernel/field-schemas.ts';
import type { PublicLinkGuest, PublicReads } from '../../kernel/module.ts';
import { pageOf, readCursor } from '../../kernel/paging.ts';
import { parseBySchema } from '../../kernel/parse-input.ts';
import { linkNotFoundError } from '../../kernel/public-link-invoker.ts';
import type { Note, Notebook } from '../../ports/note-store.ts';

const pageSize = 50;
const maxNotebooks = 1000;

const id = (description: string) => text(description, { max: 256 }).optional();
const listInput = z.object({ folder_id: id('A notebook inside the one the link shows.'), cursor: cursor().optional() });
const readInput = z.object({ note_id: id('A note of the notebook.') });

/**
 * Operations for visitors with a public link to a note or notebook. They return titles and texts of the linked note, or
 * of the notes that are currently in the linked notebook, but no authors, history or other notebooks.
 */
export const publicReads: PublicReads = {
  async open(_input, guest) {
    const shown = await findShown(guest);
    return {
      kind: guest.link.kind,
      title: 'note' in shown ? shown.note.title : shown.notebook.name,
      expire_time: guest.link.expiresAt ?? 0,
    };
  },

  async list(input, guest) {
    const asked = parseBySchema(listInput, input);
    const shown = await findShown(guest);
    if ('note' in shown) throw fail('invalid_parameter', 'list: the link shows a single note');
    const folder = asked.folder_id ?? shown.notebook.id;
    if (!shown.inside.has(folder))
      throw fail('no_notebook', `folder_id: there is no notebook ${JSON.stringify(folder.slice(0, 80))}`);
    const scope = `public list ${guest.link.id} ${folder}`;
    const [value, after] = readCursor(scope, asked.cursor, 'a previous page') ?? [];
    const found = await guest.context.notes.list({
      userId: shown.notebook.userId,
      notebookId: folder,
      order: 'modified',
      ...(typeof value === 'number' && typeof after === 'string' ? { after: { value, id: after } } : {}),
      limit: pageSize + 1,
    });
    const { page, is_end, next_cursor } = pageOf(found, pageSize, scope, (last) => [last.modifiedAt, last.id]);
    return {
      notebooks: [...shown.inside.values()]
        .filter(({ parentId }) => parentId === folder)
        .map((one) => ({ folder_id: one.id, name: one.name })),
      notes: page.map((note) => ({ note_id: note.id, title: note.title, modify_time: note.modifiedAt })),
      is_end,
      next_cursor,
    };
  },

  async read(input, guest) {
    const asked = parseBySchema(readInput, input);
    const shown = await findShown(guest);
    const note = 'note' in shown ? shown.note : await guest.context.notes.note(asked.note_id ?? '');
    const isShown =
      note?.deletedAt === null &&
      ('note' in shown || (note.userId === shown.notebook.userId && shown.inside.has(note.notebookId)));
    if (!note || !isShown)
      throw fail('no_permission', `note_id: there is no note ${JSON.stringify((asked.note_id ?? '').slice(0, 80))}`);
    return {
      note_id: note.id,
      title: note.title,
      modify_time: note.modifiedAt,
      content: (await guest.context.notes.markdown(note.id)) ?? '',
    };
  },
};

type Shown = { note: Note } | { notebook: Notebook; inside: ReadonlyMap<string, Notebook> };

/**
 * Returns the note or notebook that the link shows. If it was deleted, throws the same error as for an unknown link.
 */
async function findShown({ link, context }: PublicLinkGuest): Promise<Shown> {
  if (link.kind === 'note') {
    const note = await context.notes.note(link.targetId);
    if (!note || note.userId !== link.userId || note.deletedAt !== null) throw linkNotFoundError('no_permission');
    return { note };
  }
  const notebooks = await context.notes.notebooks(link.userId, { limit: maxNotebooks });
  const byId = new Map(notebooks.map((notebook) => [notebook.id, notebook]));
  const notebook = byId.get(link.targetId);
  if (!notebook) throw linkNotFoundError('no_permission');
  const inside = new Map([[notebook.id, notebook]]);
  for (let before = 0; before < inside.size;) {
    before = inside.size;
    for (const one of notebooks) if (inside.has(one.parentId)) inside.set(one.id, one);
  }
  return { notebook, inside };
}
