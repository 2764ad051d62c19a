import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '@sheaf/tools/testing/test-server.ts';

test(
  '[finding R24] search.db damaged while the server runs: it is replaced and filled again without a restart',
  { timeout: 90_000 },
  async () => {
    const server = await startServer();
    onTestFinished(() => server.close());
    const { call } = server;
    for (let number = 0; number < 30; number++) {
      const content = `# Note ${number}\n\nquince word${number}`;
      expect((await call('http', 'note', 'import_doc', { content_format: 1, content })).code).toBe(0);
    }
    await server.app.services.searchFeed.waitUntilDrained();
    // Segments are merged and the log is copied into the file once the index is idle.
    await sleep(1500);
    const path = join(server.folder, 'search.db');
    // All but the first page, which says what kind of file it is.
    const length = (await stat(path)).size - 8192;
    expect(length).toBeGreaterThan(0);
    const file = await open(path, 'r+');
    await file.write(Buffer.alloc(length, 0xee), 0, length, 8192);
    await file.close();
    const search = async (): Promise<number> => {
      const input = { search_type: 1, query_info: { content: 'quince' }, start: 0, end: 20 };
      return (await call('http', 'note', 'search_note', input)).data.total_hit_num;
    };
    await expect.poll(search, { timeout: 60_000, interval: 200 }).toBe(30);
    const db = new DatabaseSync(path, { readOnly: true });
    expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    db.close();
  },
);
