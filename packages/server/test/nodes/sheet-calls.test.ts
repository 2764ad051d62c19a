/** A spreadsheet that is edited through three nodes is edited on one of them; the others hand their calls over. */
import { createHmac, randomBytes } from 'node:crypto';
import { serialize } from 'node:v8';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { RawAnswer } from '@sheaf/client';
import { derivePurposeKey } from '@sheaf/server/adapters/crypto/derive-key.ts';
import { sha256 } from '@sheaf/server/lib/hash.ts';
import { SeededRandom } from '@sheaf/tools/testing/seeded-random.ts';
import type { Key } from '@sheaf/tools/testing/call-client.ts';
import type { TestServer } from '@sheaf/tools/testing/test-server.ts';
import { append, ask, contend, leaseOf, newSheet, share, texts, threeNodes, type SharedSheet } from './three-nodes.ts';

describe('a spreadsheet over three nodes', { timeout: 180_000 }, () => {
  let nodes: TestServer[] = [];
  let owner: Key;
  let guest: Key;
  beforeAll(async () => {
    nodes = await threeNodes();
    owner = nodes[0]!.owner;
    guest = await nodes[0]!.newUser();
  }, 120_000);
  afterAll(async () => {
    for (const node of nodes) await node.close();
  });

  /** Returns the node that holds the document, and the other ones. */
  async function placesOf(sheet: SharedSheet): Promise<{ holder: TestServer; others: TestServer[] }> {
    const { address } = (await leaseOf(nodes[0]!, sheet))!;
    return {
      holder: nodes.find(({ url }) => url === address)!,
      others: nodes.filter(({ url }) => url !== address),
    };
  }

  /** Counts the commits that each node makes while `work` runs. */
  async function commitsOf(work: () => Promise<unknown>): Promise<number[]> {
    const spies = nodes.map(({ app }) => vi.spyOn(app.services.sheets, 'append'));
    await work();
    const counts = spies.map(({ mock }) => mock.calls.length);
    for (const spy of spies) spy.mockRestore();
    return counts;
  }

  test('[finding Q17] random edits through all of them make one document, each by its author, a keyed one once', async () => {
    const random = new SeededRandom(17);
    const sheet = await newSheet(nodes[0]!, guest);
    const made: { text: string; userId: string; version: number | undefined }[] = [];
    let next = 0;
    const caller = async (): Promise<void> => {
      while (next < 150) {
        const text = `edit ${next++}`;
        const node = nodes[random.below(3)]!;
        const as = random.fraction() < 0.5 ? owner : guest;
        const kind = random.below(10);
        if (kind === 0) {
          const tried = await append(node, as, sheet, text, { more: { dry_run: true } });
          expect([tried.code, tried.version, tried.data['dry_run']]).toEqual([0, undefined, true]);
        } else if (kind === 1) {
          const refused = await append(node, as, sheet, text, { more: { assert: ['1=2'] } });
          expect(refused.code).toBe(310008);
        } else if (kind < 5) {
          const again = nodes[random.below(3)]!;
          const key = { idempotencyKey: `key of ${text}` };
          const both = await Promise.all([node, again].map((one) => append(one, as, sheet, text, key)));
          expect(both.map(({ code }) => code)).toEqual([0, 0]);
          expect(both[0]!.data).toEqual(both[1]!.data);
          made.push({ text, userId: as.userId, version: both[0]!.version });
        } else {
          const { code, msg, version, data } = await append(node, as, sheet, text, {
            more: { return_changes: true },
          });
          expect([code, msg]).toEqual([0, 'success']);
          expect(JSON.stringify(data['changes'])).toContain(text);
          made.push({ text, userId: as.userId, version });
        }
      }
    };
    await Promise.all(Array.from({ length: 12 }, caller));
    const read = await Promise.all(nodes.map((node) => texts(node, owner, sheet)));
    expect(read[1]).toEqual(read[0]);
    expect(read[2]).toEqual(read[0]);
    expect(read[0]!.toSorted()).toEqual(made.map(({ text }) => text).toSorted());
    const rows = await nodes[0]!.app.database.all<{ version: number; user_id: string }>(
      'SELECT version, user_id FROM revision WHERE document_id = ? ORDER BY version',
      sheet.file_id,
    );
    expect(rows.map(({ version }) => version)).toEqual(Array.from({ length: made.length + 1 }, (_, n) => n + 1));
    // The version that an answer names is the revision by this caller with this text's place in the document.
    const inOrder = made.toSorted((a, b) => a.version! - b.version!);
    expect(inOrder.map(({ text }) => text)).toEqual(read[0]);
    expect(rows.slice(1).map(({ user_id }) => user_id)).toEqual(inOrder.map(({ userId }) => userId));
    const audits = await nodes[0]!.app.database.get<{ n: number }>(
      "SELECT COUNT(*) AS n FROM audit WHERE target = ? AND operation = 'sheet.append_rows'",
      sheet.file_id,
    );
    expect(audits).toEqual({ n: made.length });
    expect(await leaseOf(nodes[0]!, sheet)).toBeDefined();
    for (const node of nodes)
      expect((await ask(node, owner, 'validate_file_data', sheet)).data).toMatchObject({ is_valid: true });
  });

  test('[finding Q17] the node that holds it makes the commits of all; a document of one node is held by none', async () => {
    const sheet = await newSheet(nodes[0]!, guest);
    await Promise.all(Array.from({ length: 20 }, (_, n) => append(nodes[1]!, owner, sheet, `alone ${n}`)));
    expect(await leaseOf(nodes[0]!, sheet)).toBeUndefined();
    await contend(nodes, owner, sheet);
    const { holder, others } = await placesOf(sheet);
    // Each of the others learns of the holder by its own lost commits.
    for (let n = 0; n < 3; n++) await Promise.all(nodes.map((node) => append(node, guest, sheet, `learn ${n}`)));
    const counts = await commitsOf(async () => {
      for (const node of [...others, holder])
        await Promise.all(Array.from({ length: 5 }, (_, n) => append(node, guest, sheet, `${node.url} ${n}`)));
    });
    expect(others.map((node) => counts[nodes.indexOf(node)])).toEqual([0, 0]);
    expect(counts[nodes.indexOf(holder)]).toBeGreaterThan(0);
  });

  test('[finding Q17] refusals, long inputs and long answers are those of the holder', async () => {
    const sheet = await newSheet(nodes[0]!, guest);
    await contend(nodes, owner, sheet);
    const { others } = await placesOf(sheet);
    const [node] = others as [TestServer];
    const numbers = Array.from({ length: 3000 }, (_, n) => [n, `text ${n}`]);
    const wrote = await ask(node, owner, 'write', { file_id: sheet.file_id, range: 'C1', rows: numbers });
    expect([wrote.code, wrote.msg]).toEqual([0, 'success']);
    const protect = { ...sheet, start_row: 0, start_col: 20, row_count: 1, col_count: 1 };
    const read = { ...sheet, start_row: 0, start_col: 2, end_row: 2999, end_col: 3, return_csv: true };
    const answers = await Promise.all(nodes.map((one) => ask(one, owner, 'get_cell_data', read)));
    expect(answers.map(({ data }) => (data['csv_data'] as string).split('\n')[2999])).toEqual(
      nodes.map(() => expect.stringMatching(/^2999,text 2999/)),
    );
    const wrong = await Promise.all(
      nodes.map((one) => ask(one, owner, 'delete_sheet', { ...protect, sheet_id: 'no' })),
    );
    expect(new Set(wrong.map(({ code, msg }) => `${code} ${msg}`)).size).toBe(1);
    expect(wrong[0]!.code).not.toBe(0);
  });

  test('[T98] who lost the right to edit is refused by every node at once, also where calls are handed over', async () => {
    const sheet = await newSheet(nodes[0]!, guest);
    await contend(nodes, guest, sheet);
    for (const role of ['viewer', 'editor', 'none']) {
      await share(nodes[0]!, sheet.file_id, guest, role);
      const answers = await Promise.all(nodes.map((node) => append(node, guest, sheet, `as ${role}`)));
      const expected = { viewer: 310007, editor: 0, none: 310002 }[role];
      expect(answers.map(({ code }) => code)).toEqual([expected, expected, expected]);
    }
    const read = await texts(nodes[1]!, owner, sheet);
    expect(read.filter((text) => text.startsWith('as '))).toEqual(['as editor', 'as editor', 'as editor']);
  });

  test('[T98] calls from outside are refused: without a signature, forged, replayed, for another node or document', async () => {
    const sheet = await newSheet(nodes[0]!, guest);
    await contend(nodes, owner, sheet);
    const { holder, others } = await placesOf(sheet);
    const stamp = { at: Date.now(), userId: owner.userId, keyId: 'k', operation: 'sheet.append_rows', requestId: 'r' };
    const bodyOf = (file: string, text: string): Buffer =>
      serialize({
        file,
        from: 'node_x',
        calls: [
          {
            tool: 'append_rows',
            input: { ...sheet, rows: [[text]] },
            isOwner: true,
            isAtPage: false,
            atLeast: 1,
            isCurrent: true,
            stamp: { ...stamp, idempotencyKey: `key ${text}` },
            isKeyMade: true,
            wantsProgress: false,
          },
        ],
      });
    const post = async (url: string, body: Buffer, header?: string): Promise<[number, string]> => {
      const response = await fetch(`${url}/node/v1/sheet-calls`, {
        method: 'POST',
        headers: header === undefined ? {} : { 'x-sheaf-node': header },
        body: new Uint8Array(body),
      });
      return [response.status, await response.text()];
    };
    const signed = (key: Buffer, body: Buffer, to = holder.url, at = Date.now()): string => {
      const parts = [at, randomBytes(16).toString('hex'), sha256(body)] as const;
      const text = JSON.stringify([...parts, to, 'sheet-calls']);
      return [...parts, createHmac('sha256', key).update(text).digest('hex')].join('.');
    };
    const row = await holder.app.database.get<{ value: string }>(
      "SELECT value FROM installation_secret WHERE name = 'root'",
    );
    const key = derivePurposeKey(Buffer.from(row!.value, 'hex'), 'node call');
    const body = bodyOf(sheet.file_id, 'signed');
    const good = signed(key, body);
    const [status, said] = await post(holder.url, body, good);
    expect([status, JSON.parse(said.trim())]).toMatchObject([200, { ended: [[0, { version: expect.any(Number) }]] }]);
    const other = bodyOf(sheet.file_id, 'forged');
    const refused = [
      post(holder.url, body, good),
      post(holder.url, other),
      post(holder.url, other, signed(randomBytes(32), other)),
      post(holder.url, other, signed(key, body)),
      post(holder.url, other, signed(key, other, others[0]!.url)),
      post(holder.url, other, signed(key, other, holder.url, Date.now() - 120_000)),
      post(holder.url, other, signed(key, other).replace(/\.[^.]+$/, '.00')),
    ];
    for (const answer of await Promise.all(refused))
      expect(answer).toEqual([404, expect.stringContaining('there is nothing at POST /node/v1/sheet-calls')]);
    // A node that does not hold the document refuses, and hands over to nobody.
    const twice = await post(others[0]!.url, other, signed(key, other, others[0]!.url));
    expect([twice[0], JSON.parse(twice[1])]).toEqual([200, { isRefused: true }]);
    const read = await texts(nodes[1]!, owner, sheet);
    expect(read.filter((text) => ['signed', 'forged'].includes(text))).toEqual(['signed']);
  });

  test('[finding Q17] a holder that cannot be reached is replaced; what it committed last is not made again', async () => {
    const sheet = await newSheet(nodes[0]!, guest);
    const before = await contend(nodes, owner, sheet);
    const { others } = await placesOf(sheet);
    for (let n = 0; n < 3; n++) await Promise.all(others.map((node, at) => append(node, owner, sheet, `l ${n} ${at}`)));
    const held = (await leaseOf(nodes[0]!, sheet))!;
    // The address where nobody listens stands for a node that is gone.
    await nodes[0]!.app.database.write(null, { lock: 'test' }, (tx) =>
      tx.run(
        "UPDATE document_lease SET node = 'lost', address = 'http://127.0.0.1:9', token = token + 1 WHERE resource = ?",
        `sheet:${sheet.file_id}`,
      ),
    );
    const answers: RawAnswer[] = [];
    for (let n = 0; n < 5; n++)
      answers.push(...(await Promise.all(nodes.map((node, at) => append(node, owner, sheet, `after ${n} ${at}`)))));
    expect(answers.map(({ code }) => code)).toEqual(answers.map(() => 0));
    const read = await texts(nodes[2]!, owner, sheet);
    expect(new Set(read).size).toBe(read.length);
    expect(read).toHaveLength(before.length + 6 + 15);
    expect((await leaseOf(nodes[0]!, sheet))!.token).toBeGreaterThan(held.token);
  });
});
