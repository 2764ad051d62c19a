import { expect, test } from 'vitest';
import { eachServer } from '@sheaf/tools/testing/test-server.ts';

const day = 86_400_000;
let offset = 0;

eachServer(
  '[T69] a clock that jumps',
  (server) => {
    test('a day back and a day ahead: pages are whole, versions go on, changes are noticed, keys expire', async () => {
      offset = 0;
      const { call } = server();
      const note = (operation: string, input: object): ReturnType<typeof call> =>
        call('http', 'note', operation, input);
      const ids: string[] = [];
      for (const title of ['a', 'b', 'c', 'd', 'e', 'f'])
        ids.push((await note('import_doc', { content_format: 1, content: `# ${title}` })).data.note_id as string);
      const first = await note('list_note', { cursor: '', limit: 2 });
      const notebooks = await note('list_notebook', { cursor: '0', limit: 20 });
      const { file_id } = (await call('http', 'manage', 'create_file', { title: 'Clock' })).data;
      const { sheet_id } = (await call('http', 'sheet', 'get_sheet_info', { file_id })).data.sheets[0];
      const versions: number[] = [];
      const expiring = (
        await call('http', 'account', 'create_key', { name: 'short', expire_time: Date.now() + day / 2 })
      ).data;

      for (const jump of [-day, day, 0]) {
        offset = jump;
        await note('import_doc', { content_format: 1, content: `# late ${jump}` });
        expect(await note('append_doc', { note_id: ids[0], content_format: 1, content: `at ${jump}` })).toMatchObject({
          code: 0,
        });
        const changed = await note('add_notebook', { name: `n ${jump}` });
        expect(changed.code).toBe(0);
        const listed = await note('list_notebook', { cursor: '0', limit: 20, version: notebooks.data.next_version });
        expect(listed.data.need_update).toBe(true);
        const written = await call('http', 'sheet', 'set_cell_value', {
          file_id,
          sheet_id,
          row: 0,
          col: 0,
          value_type: 'NUMBER',
          number_value: jump,
        });
        expect(written.code).toBe(0);
        versions.push((await call('http', 'manage', 'query_file_info', { file_id })).data.file.version as number);
        const withKey = await call(
          'http',
          'account',
          'get_me',
          {},
          { userId: '', clientId: expiring.key.client_id, apiKey: expiring.api_key },
        );
        expect([jump, withKey.code === 0]).toEqual([jump, jump < day]);
      }
      expect(versions[1]).toBe(versions[0]! + 1);
      expect(versions[2]).toBe(versions[1]! + 1);
      const history = await note('get_note_history', { note_id: ids[0], cursor: '', limit: 20 });
      expect(history.data.versions.map((one: { version: number }) => one.version)).toEqual([4, 3, 2, 1]);

      const seen = first.data.note_book_list.map((one: { note_id: string }) => one.note_id) as string[];
      for (let cursor = first.data.next_cursor as string, page = 0; cursor !== '' && page < 20; page++) {
        const { data } = await note('list_note', { cursor, limit: 2 });
        seen.push(...data.note_book_list.map((one: { note_id: string }) => one.note_id));
        cursor = data.next_cursor as string;
      }
      expect(new Set(seen).size).toBe(seen.length);
      // The first was changed meanwhile, so its place is a new one; all others are met.
      expect(ids.slice(1).filter((id) => !seen.includes(id))).toEqual([]);
    });
  },
  { clock: { now: () => Date.now() + offset } },
);
