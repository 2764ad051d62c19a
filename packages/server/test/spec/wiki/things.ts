/** One of each thing a wiki call can name, made by its owner. */
import { newId } from '../../../src/lib/ids.ts';
import type { Key, TestServer } from '@sheaf/tools/testing/test-server.ts';

export interface Things {
  base: string;
  otherBase: string;
  folder: string;
  item: string;
  otherItem: string;
  trashed: string;
  note: string;
  noteItem: string;
  session: string;
}

async function done(server: TestServer, module: string, operation: string, input: unknown, as: Key): Promise<any> {
  const answer = await server.call('http', module, operation, input, as);
  if (answer.code !== 0) throw new Error(`${operation}: ${answer.msg}`);
  return answer.data;
}

export async function makeThings(server: TestServer, as: Key = server.owner): Promise<Things> {
  const wiki = (operation: string, input: unknown): Promise<any> => done(server, 'wiki', operation, input, as);
  const { knowledge_base_id: base } = await wiki('create_knowledge_base', { name: 'Base' });
  const { knowledge_base_id: otherBase } = await wiki('create_knowledge_base', { name: 'Other base' });
  const { folder_id: folder } = await wiki('create_folder', { knowledge_base_id: base, name: 'Folder' });
  const upload = async (name: string): Promise<string> =>
    (
      await wiki('upload_knowledge', {
        knowledge_base_id: base,
        file_name: name,
        content: Buffer.from('# Hello').toString('base64'),
      })
    ).media_id;
  const item = await upload('one.md');
  const otherItem = await upload('two.md');
  const trashed = await upload('three.md');
  await wiki('delete_knowledge', { knowledge_base_id: base, media_ids: [trashed] });
  const { note_id: note } = await done(server, 'note', 'import_doc', { content_format: 1, content: '# A note' }, as);
  const { media_id: noteItem } = await wiki('add_knowledge', {
    media_type: 11,
    title: 'Note',
    knowledge_base_id: base,
    note_info: { content_id: note },
  });
  const { session_id: session } = await wiki('create_session', {
    title: 'Session',
    messages: [{ role: 'user', content: 'hi' }],
  });
  return { base, otherBase, folder, item, otherItem, trashed, note, noteItem, session };
}

/** An item that could not be read. */
export async function makeFailed(server: TestServer, as: Key = server.owner): Promise<{ base: string; item: string }> {
  const { base, item } = await makeThings(server, as);
  const { states } = await done(server, 'wiki', 'get_knowledge_state', { media_ids: [item], wait_seconds: 20 }, as);
  if (states[0].state !== 'ready') throw new Error(`the item is ${states[0].state}`);
  const { wiki } = server.app.services;
  await wiki.texts.failItem(
    { at: Date.now(), userId: as.userId, keyId: '', operation: 'test', requestId: '' },
    item,
    1,
    'made to fail',
  );
  return { base, item };
}

export interface Uploaded {
  media_id: string;
  cos_key: string;
  file_size: number;
}

/** create_media and the bytes in their place, as an upload would leave them. */
export async function makeUpload(
  server: TestServer,
  base: string,
  { name = 'up.md', type = 'text/markdown', bytes = Buffer.from('# Uploaded') as Uint8Array } = {},
  as: Key = server.owner,
): Promise<Uploaded> {
  const extension = name.slice(name.lastIndexOf('.') + 1);
  const { media_id, cos_credential } = await done(
    server,
    'wiki',
    'create_media',
    { file_name: name, file_size: bytes.length, content_type: type, knowledge_base_id: base, file_ext: extension },
    as,
  );
  await server.app.services.blobs.put(cos_credential.cos_key, bytes, bytes.length);
  return { media_id, cos_key: cos_credential.cos_key, file_size: bytes.length };
}

/** Has the form of an id and names nothing. */
export function unknownId(like: string): string {
  return newId(like.slice(0, like.lastIndexOf('_')));
}
