/**
 * Creates a user with a note, a knowledge base, a spreadsheet and other content. All of it contains a secret word. The
 * fuzz test checks that the calls of other users neither see the word nor change the content.
 */
import { randomBytes } from 'node:crypto';
import type { Callable, Key } from '../../testing/call-client.ts';

export interface Victim {
  readonly key: Key;
  readonly secret: string;
  /** Responses of the calls that created the content. */
  readonly created: readonly unknown[];
  /** Returns what the user can read in this content. The test compares two results to detect changes by others. */
  view(): Promise<unknown>;
}

export async function createVictim(server: Callable): Promise<Victim> {
  const key = await server.newUser();
  const word = `secret${randomBytes(6).toString('hex')}`;
  const call = async (module: string, operation: string, input: object): Promise<any> => {
    const { code, msg, data } = await server.call('http', module, operation, input, key);
    if (code !== 0) throw new Error(`${operation}: ${code} ${msg}`);
    return data;
  };
  const book = await call('note', 'add_notebook', { name: `Book ${word}` });
  const note = await call('note', 'import_doc', { content_format: 1, content: `# Note ${word}\n\n${word} text` });
  const base = await call('wiki', 'create_knowledge_base', { name: `Base ${word}`, description: word });
  const { knowledge_base_id } = base;
  const folder = await call('wiki', 'create_folder', { knowledge_base_id, name: `Folder ${word}` });
  const upload = await call('wiki', 'upload_knowledge', {
    knowledge_base_id,
    file_name: `${word}.md`,
    content: Buffer.from(`# File ${word}\n\n${word}`).toString('base64'),
  });
  const file = await call('manage', 'create_file', { title: `File ${word}` });
  await call('sheet', 'append_rows', { file_id: file.file_id, sheet_id: file.sheet_id, rows: [[word, 1, '=B1*2']] });
  const made = await call('account', 'create_key', { name: `Key ${word}` });
  const things = [book, note, base, folder, upload, file, { key_id: made.key.key_id }, { user_id: key.userId }];
  const view = async (): Promise<unknown> => [
    await call('note', 'get_doc_content', { note_id: note.note_id, target_content_format: 0 }),
    await call('note', 'list_note', { cursor: '', limit: 20 }),
    await call('note', 'list_notebook', { cursor: '', limit: 20 }),
    await call('wiki', 'get_knowledge_list', { knowledge_base_id, cursor: '', limit: 20 }),
    await call('sheet', 'get_cell_data', {
      file_id: file.file_id,
      sheet_id: file.sheet_id,
      start_row: 0,
      start_col: 0,
      end_row: 9,
      end_col: 9,
    }),
    (await call('account', 'list_keys', {})).keys.map(({ key_id, name, revoked }: Record<string, unknown>) => [
      key_id,
      name,
      revoked,
    ]),
  ];
  // Wait until the uploaded file is parsed. Otherwise the end of the parsing could look like a change by another user.
  for (let turn = 0; turn < 300; turn++) {
    const { states } = await call('wiki', 'get_knowledge_state', { media_ids: [upload.media_id] });
    if (states[0].state === 'ready') break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { key, secret: word, created: things, view };
}
