import { Doc, encodeStateAsUpdate } from 'yjs';
import { expect, test } from 'vitest';
import { SharedTextCopy, newWriterClient } from '@sheaf/markdown/shared-text';
import { eachServer, type Key } from '@sheaf/tools/testing/test-server.ts';
import { newNote, storedText, Writer } from './writer.ts';

eachServer('an open note', (server) => {
  const call = (operation: string, input: object, as?: Key) => server().call('http', 'note', operation, input, as);

  const twoWriters = async (content: string): Promise<{ id: string; one: Writer; two: Writer; ben: Key }> => {
    const id = await newNote(server(), content);
    const ben = await server().newUser();
    await server().call('http', 'sharing', 'share', { kind: 'note', id, user_id: ben.userId, role: 'write' });
    const [one, two] = [new Writer(id), new Writer(id, ben)];
    await one.sync(server());
    await two.sync(server());
    return { id, one, two, ben };
  };

  const settle = async (...writers: Writer[]): Promise<void> => {
    for (let round = 0; round < 2; round++) for (const writer of writers) await writer.sync(server());
  };

  test('[finding P12] two write at once while an agent appends: nothing is lost or doubled, and it becomes a version', async () => {
    const { id, one, two } = await twoWriters('# List\n\n- pears\n');
    one.change((text) => text.replace('pears', 'ripe pears'));
    two.change((text) => `${text}- plums\n`);
    await one.sync(server());
    expect(await call('append_doc', { note_id: id, content_format: 1, content: 'From the agent.' })).toMatchObject({
      code: 0,
    });
    await settle(two, one);
    expect(one.text).toBe('# List\n\n- ripe pears\n- plums\n\nFrom the agent.');
    expect(two.text).toBe(one.text);
    await expect.poll(() => storedText(server(), id), { timeout: 10_000 }).toBe(one.text);
    const { data } = await call('get_note_history', { note_id: id });
    // The typed text is a version of its own before the operation's, and the merged text follows after a pause.
    expect(data.versions.map((version: { operation: string }) => version.operation)).toEqual([
      'note.sync_note',
      'note.append_doc',
      'note.sync_note',
      'note.import_doc',
    ]);
  });

  test('an operation edits what was typed a moment ago; one on an older version is refused', async () => {
    const { id, one } = await twoWriters('# Plan\n');
    one.change((text) => `${text}\nmeet on 10 May\n`);
    await one.sync(server());
    const stale = { note_id: id, content: '# Plan\n\nother', base_version: 1 };
    expect(await call('update_note', stale)).toMatchObject({ code: 210008 });
    const edits = [{ old: '10 May', new: '12 May' }];
    expect(await call('edit_note', { note_id: id, edits })).toMatchObject({ code: 0, data: { version: 3 } });
    await expect.poll(async () => (await one.sync(server()), one.text)).toBe('# Plan\n\nmeet on 12 May\n');
  });

  test('everybody who wrote is in the audit; the version is the last writer’s', async () => {
    const { id, one, two, ben } = await twoWriters('text');
    one.change((text) => `${text} one`);
    await one.sync(server());
    two.change((text) => `two ${text}`);
    await two.sync(server());
    await expect.poll(() => storedText(server(), id), { timeout: 10_000 }).toContain('two text');
    await settle(one, two);
    await expect.poll(() => storedText(server(), id), { timeout: 10_000 }).toBe('two text one');
    const { data } = await server().call('http', 'account', 'list_audit', { limit: 50 });
    const users = data.rows.filter(
      (row: { target: string; operation: string }) => row.target === id && row.operation === 'note.sync_note',
    );
    expect(new Set(users.map((row: { user_id: string }) => row.user_id))).toEqual(
      new Set([server().owner.userId, ben.userId]),
    );
  });

  test('a copy that is sent again after a lost answer is not doubled', async () => {
    const { id, one, two } = await twoWriters('a');
    for (let round = 0; round < 5; round++) {
      one.change((text) => `${text} ${round}`);
      await one.sync(server(), {}, true);
    }
    await settle(one, two);
    expect(two.text).toBe('a 0 1 2 3 4');
    await expect.poll(() => storedText(server(), id), { timeout: 10_000 }).toBe('a 0 1 2 3 4');
  });

  test('[T89] only who may write the note takes part, and whose access ends is out at once', async () => {
    const { id, one, two, ben } = await twoWriters('secret');
    const eve = await server().newUser();
    expect(await new Writer(id, eve).sync(server())).toMatchObject({ code: 210034, data: {} });
    const stream = await fetch(`${server().url}/openapi/note/v1/events?note_id=${id}&room=1`, {
      headers: { 'svc-openapi-clientid': ben.clientId, 'svc-openapi-apikey': ben.apiKey },
    });
    expect(stream.status).toBe(200);
    const heard = readAll(stream);
    await server().call('http', 'sharing', 'unshare', { kind: 'note', id, user_id: ben.userId });
    one.change((text) => `${text} AFTERWARDS`);
    await one.sync(server());
    two.change((text) => `${text} mine`);
    expect(await two.sync(server())).toMatchObject({ code: 210034, data: {} });
    expect(await heard).not.toContain(Buffer.from('AFTERWARDS').toString('base64').slice(0, 8));
    const { people } = (await one.sync(server())).data;
    expect(people.map((person: { user_id: string }) => person.user_id)).toEqual([server().owner.userId]);
  });

  test('[T89] nobody writes as somebody else, outside of the text, beyond the limit, or on what is unknown', async () => {
    const { one, two } = await twoWriters('text');
    one.change((text) => `${text} one`);
    await one.sync(server());
    await two.sync(server());
    const send = (update: Uint8Array) => two.sync(server(), { update: Buffer.from(update).toString('base64') });

    const forged = new Doc();
    forged.clientID = one.copy!.client;
    forged.getText('markdown').insert(0, 'x'.repeat(20));
    expect(await send(encodeStateAsUpdate(forged))).toMatchObject({
      code: 210001,
      msg: `update: writes as client ${one.copy!.client}, which belongs to another user`,
    });

    const map = newDoc();
    map.getMap('markdown').set('key', 'value');
    expect(await send(encodeStateAsUpdate(map))).toMatchObject({ code: 210001, msg: 'update: sets an attribute' });
    const other = newDoc();
    other.getText('other').insert(0, 'hidden');
    expect(await send(encodeStateAsUpdate(other))).toMatchObject({
      code: 210001,
      msg: 'update: writes outside of the text',
    });
    const rich = newDoc();
    rich.getText('markdown').insert(0, 'bold', { bold: true });
    expect(await send(encodeStateAsUpdate(rich))).toMatchObject({
      code: 210001,
      msg: 'update: contains something other than text',
    });
    expect(await send(new Uint8Array([255, 255, 255, 1]))).toMatchObject({
      code: 210001,
      msg: 'update: is not an update of Yjs',
    });

    const later = newDoc();
    later.getText('markdown').insert(0, 'a');
    const before = encodeStateAsUpdate(later);
    const vector = new SharedTextCopy(before).stateVector();
    later.getText('markdown').insert(1, 'b');
    expect(await send(encodeStateAsUpdate(later, vector))).toMatchObject({ code: 210008 });

    const long = newDoc();
    long.getText('markdown').insert(0, 'y'.repeat(2 ** 20 - 3));
    expect((await send(encodeStateAsUpdate(long))).msg).toContain('would make the text too long');
    await one.sync(server());
    expect(one.text).toBe('text one');
  });
});

function newDoc(): Doc {
  const doc = new Doc();
  doc.clientID = newWriterClient();
  return doc;
}

async function readAll(response: Response): Promise<string> {
  let text = '';
  for await (const piece of response.body!) text += Buffer.from(piece as Uint8Array).toString('utf8');
  return text;
}
