/** The room of a note is on one of three nodes; the others hand over to it, and take over when it is lost. */
import { createHmac, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { derivePurposeKey } from '@sheaf/server/adapters/crypto/derive-key.ts';
import { sha256 } from '@sheaf/server/lib/hash.ts';
import { freshPostgres } from '@sheaf/tools/testing/postgres.ts';
import { SeededRandom } from '@sheaf/tools/testing/seeded-random.ts';
import { startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';
import { newNote, storedText, Writer } from './writer.ts';

describe('an open note over three nodes', () => {
  let nodes: TestServer[] = [];
  beforeAll(async () => {
    const databaseUrl = await freshPostgres();
    const first = await startServer({ database: 'postgres', databaseUrl });
    nodes = [first];
    for (let more = 0; more < 2; more++) {
      const node = await startServer({ database: 'postgres', databaseUrl });
      nodes.push({ ...node, owner: first.owner, call: (s, m, o, i, as = first.owner) => node.call(s, m, o, i, as) });
    }
  }, 120_000);
  afterAll(async () => {
    for (const node of nodes) await node.close();
  });

  const holderOf = (id: string) =>
    nodes[0]!.app.database.get<{ address: string }>(
      'SELECT address FROM document_lease WHERE resource = ?',
      `note:${id}`,
    );

  test('writers on three nodes write one text, and an operation on any node is merged into it', async () => {
    const id = await newNote(nodes[0]!, 'start\n');
    const writers = nodes.map(() => new Writer(id));
    for (const [index, writer] of writers.entries()) await writer.syncSoon(() => nodes[index]!);
    for (const [index, writer] of writers.entries()) {
      writer.change((text) => `${text}from ${index}\n`);
      await writer.syncSoon(() => nodes[index]!);
    }
    const appended = await nodes[2]!.call('http', 'note', 'append_doc', {
      note_id: id,
      content_format: 1,
      content: 'agent',
    });
    expect(appended.code).toBe(0);
    await expect
      .poll(
        async () => {
          for (const [index, writer] of writers.entries()) await writer.syncSoon(() => nodes[index]!);
          return writers.map(({ text }) => text.trim().split(/\s+/).toSorted().join(' '));
        },
        { timeout: 10_000 },
      )
      .toEqual(writers.map(() => '0 1 2 agent from from from start'));
    await expect.poll(() => storedText(nodes[1]!, id), { timeout: 10_000 }).toBe(writers[0]!.text);
    expect(new Set(writers.map(({ text }) => text)).size).toBe(1);
  });

  test('[T98] a call from outside is refused: without a signature, with a wrong one, replayed, or for another node', async () => {
    const id = await newNote(nodes[0]!, 'hidden');
    await new Writer(id).syncSoon(() => nodes[0]!);
    const { url, app } = nodes[0]!;
    const body = JSON.stringify({ flush: id });
    const post = (header?: string, sent = body) =>
      fetch(`${url}/node/v1/note-room`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(header === undefined ? {} : { 'x-sheaf-node': header }) },
        body: sent,
      });
    const signed = (key: Buffer, to = url, at = Date.now()) => {
      const parts = [at, randomBytes(16).toString('hex'), sha256(body)] as const;
      const text = JSON.stringify([...parts, to, 'note-room']);
      return [...parts, createHmac('sha256', key).update(text).digest('hex')].join('.');
    };
    const row = await app.database.get<{ value: string }>("SELECT value FROM installation_secret WHERE name = 'root'");
    const key = derivePurposeKey(Buffer.from(row!.value, 'hex'), 'node call');
    const good = signed(key);
    expect([(await post(good)).status, (await post(signed(key), `${body} `)).status]).toEqual([200, 404]);
    const refused = [undefined, '', '1.2.3.4', signed(randomBytes(32)), good];
    for (const header of [...refused, signed(key, nodes[1]!.url), signed(key, url, Date.now() - 120_000)]) {
      const answer = await post(header);
      expect([answer.status, await answer.text()]).toEqual([
        404,
        expect.stringContaining('there is nothing at POST /node/v1/note-room'),
      ]);
    }
  });

  test('[T89] whose access ends is out at once on every node, and hears nothing more on any', async () => {
    const id = await newNote(nodes[0]!, 'secret');
    const ben = await nodes[0]!.newUser();
    await nodes[0]!.call('http', 'sharing', 'share', { kind: 'note', id, user_id: ben.userId, role: 'write' });
    const [own, guest] = [new Writer(id), new Writer(id, ben)];
    await own.syncSoon(() => nodes[0]!);
    await guest.syncSoon(() => nodes[1]!);
    const headers = { 'svc-openapi-clientid': ben.clientId, 'svc-openapi-apikey': ben.apiKey };
    const streams = await Promise.all(
      nodes.map(({ url }) => fetch(`${url}/openapi/note/v1/events?note_id=${id}&room=1`, { headers })),
    );
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
    const heard = streams.map((stream) => stream.text().catch(() => ''));
    expect((await nodes[2]!.call('http', 'sharing', 'unshare', { kind: 'note', id, user_id: ben.userId })).code).toBe(
      0,
    );
    guest.change((text) => `${text} of a guest`);
    for (const node of nodes) expect(await guest.sync(node)).toMatchObject({ code: 210034, data: {} });
    own.change((text) => `${text} AFTERWARDS`);
    await own.syncSoon(() => nodes[1]!);
    // The streams have ended: they are read to their end.
    for (const text of await Promise.all(heard))
      expect(text).not.toContain(Buffer.from('AFTERWARDS').toString('base64').slice(0, 8));
    const { people } = (await own.sync(nodes[2]!)).data;
    expect(people.map((person: { user_id: string }) => person.user_id)).toEqual([nodes[0]!.owner.userId]);
    expect(own.text).toBe('secret AFTERWARDS');
  });

  test('[T98] a call that was handed over is never handed over again', async () => {
    const id = await newNote(nodes[0]!, 'text');
    await new Writer(id).syncSoon(() => nodes[0]!);
    expect(await holderOf(id)).toEqual({ address: nodes[0]!.url });
    // The lease names a node that does not hold the room: that node refuses instead of asking the holder.
    await nodes[0]!.app.database.write(null, { lock: 'test' }, (tx) =>
      tx.run('UPDATE document_lease SET address = ? WHERE resource = ?', nodes[1]!.url, `note:${id}`),
    );
    const started = performance.now();
    expect(await new Writer(id).sync(nodes[2]!)).toMatchObject({ code: 210003, data: {} });
    expect(performance.now() - started).toBeLessThan(5000);
  });

  test('[finding P12] three writers and 200 cuts, one node lost in the middle: one text, nothing lost or doubled', async () => {
    const random = new SeededRandom(35);
    const pick = (count: number): number => random.below(count);
    const id = await newNote(nodes[0]!, '# Together\n');
    const places = [0, 1, 2];
    const writers = places.map(() => new Writer(id));
    const nodeOf = (index: number) => () => nodes[places[index]!]!;
    for (const [index, writer] of writers.entries()) await writer.syncSoon(nodeOf(index));
    const words: string[] = [];
    let characters = 0;
    for (let cut = 0; cut < 200; cut++) {
      const index = pick(3);
      const writer = writers[index]!;
      for (let typed = 0; typed < 5; typed++) {
        const word = `<${words.length}:${'x'.repeat(pick(10))}>`;
        words.push(word);
        characters += word.length;
        // At the end of a line, as people type; never inside of a word, so that words can be counted.
        const ends = [...writer.text.matchAll(/$/gm)].map((end) => end.index);
        writer.type(`${word}${random.fraction() < 0.1 ? '\n' : ''}`, ends[pick(ends.length)]!);
      }
      await writer.syncSoon(nodeOf(index), true);
      if (random.fraction() < 0.5) await writers[pick(3)]!.syncSoon(nodeOf(pick(3)));
      if (cut % 20 === 0) {
        const word = `[agent ${cut}]`;
        words.push(word);
        await nodes[places[0]!]!.call('http', 'note', 'append_doc', { note_id: id, content_format: 1, content: word });
      }
      if (cut === 100) {
        // The node that holds the room stops renewing its lease and answering, as if it were gone.
        const { address } = (await holderOf(id))!;
        const lost = nodes.findIndex(({ url }) => url === address);
        await nodes[0]!.app.database.write(null, { lock: 'test' }, (tx) =>
          tx.run(
            "UPDATE document_lease SET node = 'lost', address = 'http://127.0.0.1:9' WHERE resource = ?",
            `note:${id}`,
          ),
        );
        for (const [at, place] of places.entries()) if (place === lost) places[at] = (lost + 1) % 3;
      }
    }
    for (let round = 0; round < 3; round++)
      for (const [index, writer] of writers.entries()) await writer.syncSoon(nodeOf(index));
    await expect
      .poll(
        async () => {
          for (const [index, writer] of writers.entries()) await writer.syncSoon(nodeOf(index));
          return new Set([await storedText(nodes[places[0]!]!, id), ...writers.map(({ text }) => text)]).size;
        },
        { timeout: 30_000 },
      )
      .toBe(1);
    const { text } = writers[0]!;
    expect(words.filter((word) => text.split(word).length !== 2)).toEqual([]);
    expect(characters).toBeGreaterThan(8000);
  }, 240_000);
});
