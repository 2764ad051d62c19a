/** What others have stored costs nobody anything: no list, search or write reads a table from end to end. Counted by PostgreSQL. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { PostgresDatabase } from '../../src/adapters/sql/postgres/database.ts';
import { startServer } from '@sheaf/tools/testing/test-server.ts';

/** Of one table, by all those calls: the caller has next to nothing there. A whole one has 5,000 or more. */
const maxRead = 1500;

/** Rows of strangers in each table: enough that whoever can use an index does. */
const strangers = [
  `INSERT INTO user_account (id, name, role, state, created_at) SELECT 'u' || n, 'stranger ' || n, 'member', 'active', n FROM generate_series(1, 5000) n`,
  `INSERT INTO api_key (id, user_id, client_id, secret_hash, name, modules, access, created_at)
     SELECT 'k' || n, 'u' || n, 'c' || n, 'h' || n, 'key', '["*"]', 'write', n FROM generate_series(1, 5000) n`,
  `INSERT INTO web_session (id, user_id, token_hash, created_at, expires_at)
     SELECT 's' || n, 'u' || n, 't' || n, n, 9e15::bigint FROM generate_series(1, 5000) n`,
  `INSERT INTO audit (at, user_id, key_id, operation, target, request_id)
     SELECT n, 'u' || n % 5000, 'k', 'note.import_doc', 't', 'r' FROM generate_series(1, 20000) n`,
  `INSERT INTO idempotency (user_id, key, operation, fingerprint, at) SELECT 'u' || n, 'key', 'o', 'f', n FROM generate_series(1, 5000) n`,
  `INSERT INTO storage_use (user_id, bytes) SELECT 'u' || n, n FROM generate_series(1, 5000) n`,
  `INSERT INTO notebook (id, user_id, name, parent_id, note_count, created_at, modified_at)
     SELECT 'b' || n, 'u' || n, 'Book', '', 1, n, n FROM generate_series(1, 5000) n`,
  `INSERT INTO note (id, user_id, notebook_id, title, title_key, is_titled, summary, cover_image, size, stored_bytes, version, whole_version, line_ends,
       created_at, modified_at, deleted_at)
     SELECT 'n' || n, 'u' || n % 5000, 'b' || n % 5000, 'Note', 'note', 1, 's', '', 1, 1, 1, 1, 0, n, n, CASE WHEN n % 10 = 0 THEN 9e15::bigint END
     FROM generate_series(1, 20000) n`,
  `INSERT INTO note_version (note_id, version, is_whole, title, size, lead, is_packed, body, at, key_id, operation)
     SELECT 'n' || n, 1, 1, 'Note', 1, 0, 0, 'x', n, 'k', 'o' FROM generate_series(1, 20000) n`,
  `INSERT INTO wiki_base (id, created_by, name, description, cover_url, questions, is_personal, item_count, member_count, file_number, folder_number,
       last_place, created_at, modified_at) SELECT 'w' || n, 'u' || n, 'Base', '', '', '[]', 0, 1, 1, 1, 1, 1, n, n FROM generate_series(1, 5000) n`,
  `INSERT INTO wiki_member (base_id, user_id, role, added_at) SELECT 'w' || n, 'u' || n, 'owner', n FROM generate_series(1, 5000) n`,
  `INSERT INTO wiki_folder (id, base_id, parent_id, name, is_top, file_number, folder_number, place, created_at, modified_at)
     SELECT 'f' || n, 'w' || n, 'w' || n, 'Folder', 0, 0, 0, n, n, n FROM generate_series(1, 5000) n`,
  `INSERT INTO wiki_item (id, base_id, folder_id, user_id, media_type, is_file, title, title_hash, state, reason, file_name, content_type, file_size,
       cos_key, content_id, sealed_password, last_modify_time, version, place, created_at, modified_at)
     SELECT 'i' || n, 'w' || n % 5000, 'f' || n % 5000, 'u' || n % 5000, 7, 1, 'Item', n, 'ready', '', 'i.md', 'text/markdown', 1,
       'x' || n, '', '', n, 1, n, n, n
     FROM generate_series(1, 20000) n`,
  `INSERT INTO wiki_text (item_id, details, is_packed, body) SELECT 'i' || n, '{}', 0, 'x' FROM generate_series(1, 20000) n`,
  `INSERT INTO wiki_tag (item_id, tag) SELECT 'i' || n, 'tag' FROM generate_series(1, 5000) n`,
  `INSERT INTO document (id, title, owner_id, version, created_at, modified_at)
     SELECT 'd' || n, 'Sheet', 'u' || n % 5000, 1, n, n FROM generate_series(1, 20000) n`,
  `INSERT INTO document_member (document_id, user_id, role) SELECT 'd' || n, 'u' || (n + 1) % 5000, 'editor' FROM generate_series(1, 20000) n`,
  `INSERT INTO revision (document_id, version, user_id, at, tool, seed, mutations, inverse)
     SELECT 'd' || n, 1, 'u', n, 't', 0, '[]', '[]' FROM generate_series(1, 20000) n`,
  `INSERT INTO job (id, kind, subject, payload, state, attempts, max_attempts, run_at, reason, created_at, updated_at, owner)
     SELECT 'j' || n, 'parse', 'i' || n, '{}', 'done', 1, 3, n, '', n, 9e15::bigint, 'u' || n FROM generate_series(1, 5000) n`,
];

test(
  'with 5,000 strangers, no list, search or write of a member reads a whole table',
  { timeout: 180_000 },
  async () => {
    const server = await startServer({ database: 'postgres' });
    onTestFinished(() => server.close());
    const { pool } = server.app.database as PostgresDatabase;
    for (const statement of strangers) await pool.query(statement);
    await pool.query('ANALYZE');
    const key = await server.newUser();
    const call = async (module: string, operation: string, input: object): Promise<any> => {
      const { code, msg, data } = await server.call('http', module, operation, input, key);
      expect([operation, code, msg]).toEqual([operation, 0, 'success']);
      return data;
    };
    const read = async (): Promise<Map<string, number>> => {
      // Connections tell their counts when they have been idle for a moment.
      await sleep(1500);
      const { rows } = await pool.query<{ name: string; rows: string }>(
        'SELECT relname AS name, seq_tup_read + coalesce(idx_tup_fetch, 0) AS rows FROM pg_stat_user_tables WHERE n_live_tup >= 1000',
      );
      return new Map(rows.map(({ name, rows: count }) => [name, Number(count)]));
    };
    const before = await read();
    expect(before.size).toBeGreaterThanOrEqual(strangers.length);
    const page = { cursor: '', limit: 20 };
    const { note_id } = await call('note', 'import_doc', { content_format: 1, content: '# Mine\n\npears' });
    await call('note', 'append_doc', { note_id, content_format: 1, content: 'more' });
    const base = await call('wiki', 'create_knowledge_base', { name: 'Mine' });
    const { knowledge_base_id } = base;
    const upload = { file_name: 'a.md', content: Buffer.from('# Pears').toString('base64') };
    const { media_id } = await call('wiki', 'upload_knowledge', { knowledge_base_id, ...upload });
    const { file_id, sheet_id } = await call('manage', 'create_file', { title: 'Mine' });
    await call('sheet', 'append_rows', { file_id, sheet_id, rows: [['pear', 1]] });
    const calls: [string, string, object][] = [
      ['note', 'list_note', page],
      ['note', 'list_notebook', page],
      ['note', 'list_deleted_notes', page],
      ['note', 'get_note_history', { note_id, ...page }],
      ['note', 'get_doc_content', { note_id, target_content_format: 0 }],
      ['note', 'search_note', { search_type: 1, query_info: { content: 'pears' }, start: 0, end: 5 }],
      ['note', 'search_note', { search_type: 0, query_info: { title: 'mine' }, start: 0, end: 5 }],
      ['wiki', 'get_knowledge_list', { knowledge_base_id, ...page }],
      ['wiki', 'get_knowledge_base', { ids: [knowledge_base_id] }],
      ['wiki', 'search_knowledge', { knowledge_base_id, query: 'pears', cursor: '' }],
      ['wiki', 'search_knowledge_base', { query: '', ...page }],
      ['wiki', 'search_knowledge_base', { query: 'mine', ...page }],
      ['wiki', 'get_addable_knowledge_base_list', page],
      ['wiki', 'get_knowledge_state', { media_ids: [media_id] }],
      ['wiki', 'search_all', { query: 'pears' }],
      ['wiki', 'search_passages', { query: 'pears' }],
      ['wiki', 'list_deleted', { knowledge_base_id, ...page }],
      ['wiki', 'list_members', { knowledge_base_id }],
      ['manage', 'list_files', page],
      ['manage', 'search_file', { query: 'mine' }],
      ['sheet', 'get_history', { file_id }],
      ['account', 'list_keys', {}],
      ['account', 'list_sessions', {}],
      ['account', 'list_connections', {}],
      ['account', 'list_audit', {}],
      ['account', 'list_audit', { operation: 'note.import_doc' }],
      ['note', 'delete_note', { note_id }],
      ['manage', 'delete_file', { file_id }],
    ];
    for (const [module, operation, input] of calls) await call(module, operation, input);
    const after = await read();
    const rowsRead = [...after].map(([name, rows]) => ({ name, rows: rows - (before.get(name) ?? 0) }));
    expect(rowsRead.filter(({ rows }) => rows > maxRead)).toEqual([]);
  },
);
