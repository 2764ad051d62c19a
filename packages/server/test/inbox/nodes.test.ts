import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshPostgres } from '@sheaf/tools/testing/postgres.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';
import { callsOf } from './support.ts';

describe('the inbox behind three nodes', { timeout: 120_000 }, () => {
  let nodes: TestServer[] = [];
  beforeAll(async () => {
    const shared = {
      database: 'postgres',
      databaseUrl: await freshPostgres(),
      folder: await temporaryFolder(),
    } as const;
    nodes = [await startServer(shared)];
    for (let more = 0; more < 2; more++) nodes.push(await startServer(shared));
  });
  afterAll(async () => {
    for (const node of nodes) await node.close();
  });

  test('[T92] a line is on every node after its answer, and on none after the share has ended', async () => {
    const on = [0, 1, 2].map((index) => callsOf(() => nodes[index]!));
    const owner = nodes[0]!.owner;
    const [ada, ben] = [await nodes[0]!.newUser(), await nodes[0]!.newUser()];
    expect(owner.userId).not.toBe('');
    const name = await on[0]!.nameOf(ben);
    const { file_id, sheet_id } = await on[0]!.done('manage.create_file', { title: 'Secret sheet' }, ada);
    for (let round = 0; round < 6; round++) {
      const [writer, revoker] = [on[round % 3]!, on[(round + 1) % 3]!];
      const id = await writer.newNote(`# Secret ${round}`, ada);
      await writer.shareNote(id, ben, 'comment', ada);
      await writer.done('sharing.share', { kind: 'sheet', id: file_id, user_id: ben.userId, role: 'comment' }, ada);
      await writer.done('note.comment_note', { note_id: id, text: `@${name} secret words` }, ada);
      const cell = { file_id, sheet_id, row: round, col: 0, text: `@${name} secret cell` };
      await writer.done('sheet.set_comment', cell, ada);
      for (const node of on)
        expect((await node.inbox(ben)).filter((one) => one.type === 'mention').length).toBe(round + 2);
      await revoker.done('sharing.unshare', { kind: 'note', id, user_id: ben.userId }, ada);
      await revoker.done('sharing.unshare', { kind: 'sheet', id: file_id, user_id: ben.userId }, ada);
      for (const node of on) expect(JSON.stringify(await node.inbox(ben))).not.toMatch(/secret/i);
    }
  });
});
