import { randomBytes } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { callable } from '@sheaf/tools/testing/call-client.ts';
import { ownerKey, startNode, type NodeProcess } from '@sheaf/tools/testing/node-process.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';

const refusal = 'the database file sheaf.db is damaged: run sheaf doctor, and restore the newest backup';
const pageSize = 4096;

/** Overwrites six pages in the middle of the file, which the texts of the notes fill. */
async function overwritePages(folder: string): Promise<void> {
  const path = join(folder, 'sheaf.db');
  const middle = Math.floor((await stat(path)).size / pageSize / 2) * pageSize;
  const file = await open(path, 'r+');
  await file.write(Buffer.alloc(6 * pageSize, 0xee), 0, 6 * pageSize, middle);
  await file.close();
}

async function metric(node: NodeProcess, name: string): Promise<string | undefined> {
  const text = await (await fetch(`${node.url}/metrics`)).text();
  return new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];
}

test(
  '[finding R20] six overwritten pages: the node refuses writes, leaves its proxy, and says once what to do',
  { timeout: 200_000 },
  async () => {
    for (const when of ['before the start', 'while it runs'] as const) {
      const folder = await temporaryFolder();
      const first = await startNode({ folder });
      onTestFinished(async () => void (await first.stop()));
      const { call: write } = callable(first.url, await ownerKey(folder));
      const ids: string[] = [];
      for (let number = 0; number < 20; number++) {
        const content = randomBytes(80_000).toString('base64');
        const { data } = await write('http', 'note', 'import_doc', { content_format: 1, content });
        ids.push(String(data.note_id));
      }
      await first.stop();
      if (when === 'before the start') await overwritePages(folder);
      const node = await startNode({ folder });
      onTestFinished(async () => void (await node.stop()));
      const { call } = callable(node.url, await ownerKey(folder));
      if (when === 'while it runs') {
        expect((await fetch(`${node.url}/readyz`)).status).toBe(200);
        expect(await metric(node, 'sheaf_database_damaged')).toBe('0');
        await overwritePages(folder);
        const answers = [];
        for (const note_id of ids)
          answers.push(await call('http', 'note', 'get_doc_content', { note_id, target_content_format: 0 }));
        expect(answers.some(({ msg }) => msg.includes(refusal))).toBe(true);
      }
      const readiness = async () => {
        const response = await fetch(`${node.url}/readyz`);
        return { status: response.status, text: await response.text() };
      };
      await expect
        .poll(readiness, { timeout: 30_000, interval: 200 })
        .toMatchObject({ status: 503, text: expect.stringContaining(`the database is damaged: ${refusal}`) });
      const refused = await call('http', 'note', 'import_doc', { content_format: 1, content: '# Lost' });
      expect(refused.msg).toContain(refusal);
      expect(await metric(node, 'sheaf_database_damaged')).toBe('1');
      expect((await fetch(`${node.url}/healthz`)).status).toBe(200);
      const lines = node.log().split('\n');
      expect(lines.filter((line) => line.includes('writes are refused from now on'))).toEqual([
        expect.stringContaining(join(folder, 'sheaf.db')),
      ]);
      await node.stop();
    }
  },
);
