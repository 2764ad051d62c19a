import type { DocumentKind, ResourceContext, ResourceKind } from '../../kernel/mcp-resource.ts';
import { notesTopic } from './events.ts';
import { requireNote } from './note-access.ts';

const maxListed = 20;

interface Listed {
  note_id: string;
  title: string;
}

export const noteResource: ResourceKind = {
  template: 'sheaf://note/{id}',
  name: 'note',
  title: 'Note',
  description: "One of the caller's notes or a note shared with the caller, as Markdown.",
  mimeType: 'text/markdown',
  async read({ id }, reach) {
    const { content } = await reach.call('note.export_note', { note_id: id, format: 'markdown' });
    return { text: String(content) };
  },
  async complete(_variable, begun, _values, reach) {
    if (begun === '') return (await latest(reach)).map((note) => note.note_id);
    const { search_note_infos: found } = await reach.call('note.search_note', {
      search_type: 0,
      query_info: { title: begun },
      start: 0,
      end: maxListed,
    });
    const byTitle = (found as { note_book_info: Listed }[]).map((one) => one.note_book_info.note_id);
    const byId = (await latest(reach)).map((note) => note.note_id).filter((id) => id.startsWith(begun));
    return [...new Set([...byId, ...byTitle])];
  },
  async recent(reach) {
    return (await latest(reach)).map((note) => ({ values: { id: note.note_id }, title: note.title }));
  },
  async watch({ id = '' }, { caller, services }) {
    const { userId } = await requireNote(
      { notes: services.notes, permissions: services.permissions, caller },
      id,
      'read',
    );
    return { topic: notesTopic(userId), concerns: (news) => (news as { target?: string }).target === id };
  },
};

export const noteDocument: DocumentKind = {
  kind: 'note',
  page: '/notes/{id}',
  async read(id, reach) {
    const note = await reach.call('note.export_note', { note_id: id, format: 'markdown' });
    return {
      title: String(note['title']),
      text: String(note['content']),
      metadata: { kind: 'note', version: String(note['version']) },
    };
  },
};

async function latest(reach: ResourceContext): Promise<Listed[]> {
  const { note_book_list: notes } = await reach.call('note.list_note', { cursor: '', limit: maxListed });
  return notes as Listed[];
}
