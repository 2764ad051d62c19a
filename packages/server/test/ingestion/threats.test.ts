import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mp3, wav } from '@sheaf/tools/testing/formats/media.ts';
import { docx } from '@sheaf/tools/testing/formats/ooxml.ts';
import { encryptedPdf, simplePdf } from '@sheaf/tools/testing/formats/pdf.ts';
import { startServer } from '@sheaf/tools/testing/test-server.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';
import { flowOn, type Flow } from './support.ts';

const text = (content: string): Uint8Array => new TextEncoder().encode(content);
const txt = (name: string, content: string) => ({ name, type: 'text/plain', mediaType: 13, bytes: text(content) });

describe('files that want something else', () => {
  let flow: Flow;
  const logged: unknown[] = [];
  const keep = (...line: unknown[]): void => void logged.push(line);
  beforeAll(async () => {
    flow = await flowOn(await startServer({ log: { debug: keep, info: keep, warn: keep, error: keep } }));
  });
  afterAll(() => flow?.server.close());

  test('[T31] a password opens the file, and is nowhere afterward', async () => {
    const password = 'tr0ub4dor-zx81';
    const bytes = encryptedPdf(password, 'The sealed tamarillo memo');
    const send = (name: string, given?: string) =>
      flow.add({
        name,
        type: 'application/pdf',
        mediaType: 1,
        bytes,
        ...(given === undefined ? {} : { password: given }),
      });
    const [right, wrong, absent] = [
      await send('right.pdf', password),
      await send('wrong.pdf', `${password}x`),
      await send('absent.pdf'),
    ];
    expect(await flow.state(right)).toMatchObject({ state: 'ready' });
    expect(await flow.found('tamarillo')).toEqual([right]);
    expect(await flow.state(wrong)).toMatchObject({ state: 'failed', reason: expect.stringMatching(/password/i) });
    expect(await flow.state(absent)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('file_info.password'),
    });
    for (const id of [right, wrong, absent])
      expect(await flow.server.app.services.wiki.texts.sealedPassword(id)).toBe('');
    const files = (await readdir(flow.server.folder, { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    );
    for (const file of files)
      expect([file.name, (await readFile(join(file.parentPath, file.name))).includes(password)]).toEqual([
        file.name,
        false,
      ]);
    expect(JSON.stringify(logged)).not.toContain(password);
  });

  test('[T30] two hours of sound are taken, one second more is not', async () => {
    const ok = await flow.add({ name: 'long.mp3', type: 'audio/mpeg', mediaType: 15, bytes: mp3(7199) });
    expect(await flow.state(ok)).toMatchObject({ state: 'ready' });
    const long = await flow.add({ name: 'longer.mp3', type: 'audio/mpeg', mediaType: 15, bytes: mp3(7202) });
    expect(await flow.state(long)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('the limit is 2 h 0 min 0 s'),
    });
    const liar = await flow.add({
      name: 'liar.wav',
      type: 'audio/wav',
      mediaType: 15,
      bytes: wav(2, { declaredBytes: 100_000_000 }),
    });
    expect(await flow.state(liar)).toMatchObject({ state: 'ready' });
  });

  test('bytes of another kind than declared are refused', async () => {
    expect(await flow.send({ name: 'a.pdf', type: 'application/pdf', mediaType: 1, bytes: docx() })).toMatchObject({
      code: 110001,
    });
    expect(
      await flow.send({
        name: 'a.png',
        type: 'image/png',
        mediaType: 9,
        bytes: text('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'),
      }),
    ).toMatchObject({ code: 110001 });
    expect(await flow.send({ name: 'a.txt', type: 'text/plain', mediaType: 13, bytes: simplePdf() })).toMatchObject({
      code: 110001,
    });
  });

  test('a damaged file fails with a reason that says what to do', async () => {
    const bytes = docx();
    const id = await flow.add({
      name: 'a.docx',
      type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      mediaType: 3,
      bytes: damage(bytes),
    });
    const state = await flow.state(id);
    expect(state.state).toBe('failed');
    expect(state.reason).toMatch(/damaged.*save it again/);
  });

  test('[T19] hostile names are stored under a key of ours and come back as they were', async () => {
    const names = [
      '../../etc/x.txt',
      `${'é'.repeat(1020)}.txt`,
      '\u202etxt.exe.txt',
      'CON.txt',
      '-rf.txt',
      '😀.txt',
      'a"b\'c;d|e&f.txt',
      'a\\b.txt',
    ];
    for (const name of names) {
      const id = await flow.add(txt(name, 'some words'));
      expect(await flow.state(id)).toMatchObject({ state: 'ready', title: name });
      const item = (await flow.server.app.services.wiki.items.item(id))!;
      expect([item.fileName, /^[\w/.-]+$/.test(item.blobKey)]).toEqual([name, true]);
    }
    const nul = await flow.send(txt('a\0b.txt', 'x'));
    expect(nul.code).not.toBe(0);
  });

  test('[T33] an uploaded page is offered for saving, never shown as ours', async () => {
    const id = await flow.add({
      name: 'evil.html',
      type: 'text/html',
      mediaType: 20,
      bytes: text('<script>alert(document.cookie)</script><p>visible</p>'),
    });
    await flow.state(id);
    const { data } = await flow.call('get_media_info', { media_id: id });
    const answer = await fetch(data.url_info.url);
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="evil.html"/);
    expect(answer.headers.get('content-security-policy')).toMatch(/^sandbox;/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('words that are blocked fail the item', async () => {
    const strict = await flowOn(await startServer({ config: { SHEAF_BLOCKED_WORDS: ['forbiddance'] } }));
    const id = await strict.add(txt('a.txt', 'this holds ForBiddance inside'));
    expect(await strict.state(id)).toMatchObject({
      state: 'failed',
      reason: 'The text contains the word "forbiddance", which this installation blocks.',
    });
    await strict.server.close();
  });

  test("[T15] [T16] a stranger's upload, another key, another size, the same one twice", async () => {
    const other = await flow.server.newUser();
    const media = await flow.call('create_media', {
      file_name: 'a.txt',
      file_size: 5,
      content_type: 'text/plain',
      knowledge_base_id: flow.baseId,
      file_ext: 'txt',
    });
    const { cos_key: key } = media.data.cos_credential;
    const add = (more: object, as?: typeof other) =>
      flow.call(
        'add_knowledge',
        {
          media_type: 13,
          media_id: media.data.media_id,
          title: 'a',
          knowledge_base_id: flow.baseId,
          file_info: { cos_key: key, file_size: 5, file_name: 'a.txt' },
          ...more,
        },
        as,
      );
    expect(await add({})).toMatchObject({ code: 110001, msg: expect.stringContaining('nothing was uploaded') });
    // Other bytes than declared got in some other way: refused, and removed.
    await flow.server.app.services.blobs.put(key, Buffer.from('much longer'), 11);
    expect(await add({})).toMatchObject({ code: 110001 });
    expect(await flow.server.app.services.blobs.head(key)).toBeUndefined();
    await flow.server.app.services.blobs.put(key, Buffer.from('hello'), 5);
    expect(await add({}, other)).toMatchObject({ code: 110030 });
    expect(await add({ file_info: { cos_key: 'media/media_other', file_size: 5, file_name: 'a.txt' } })).toMatchObject({
      code: 110030,
    });
    expect(await add({})).toMatchObject({ code: 0, data: { media_id: media.data.media_id } });
    expect(await add({})).toMatchObject({ code: 0, data: { media_id: media.data.media_id } });
    expect(await flow.state(media.data.media_id)).toMatchObject({ state: 'ready' });
  });
});

/** Breaks the packed bytes of the first entry, not the directory. */
function damage(bytes: Uint8Array): Uint8Array {
  const broken = Uint8Array.from(bytes);
  for (let at = 45; at < 400; at += 3) broken[at] = broken[at]! ^ 0x5a;
  return broken;
}

describe('[T28] parsers that die', () => {
  let flow: Flow;
  beforeAll(async () => {
    const script = join(await temporaryFolder(), 'parser.mjs');
    const source = `process.on('message', ({ id, bytes }) => {
      const text = Buffer.from(bytes).toString();
      if (text.includes('please exit')) process.exit(7);
      if (text.includes('please die')) process.kill(process.pid, 'SIGSEGV');
      process.send({ id, result: { text, headings: [], meta: {} } });
    });`;
    await writeFile(script, source);
    flow = await flowOn(await startServer({ parserScript: script }));
  });
  afterAll(() => flow?.server.close());

  test('the item fails with a reason after a few tries; the others are read', async () => {
    const exit = await flow.add(txt('exit.txt', 'please exit'));
    const die = await flow.add(txt('die.txt', 'please die'));
    const fine = await flow.add(txt('fine.txt', 'nothing to see'));
    expect(await flow.state(fine)).toMatchObject({ state: 'ready' });
    for (const id of [exit, die]) {
      expect(await flow.state(id)).toMatchObject({
        state: 'failed',
        reason: 'The file made its parser stop. Save it again in its own program and upload the new copy.',
      });
      // The item is told first, its job a moment later.
      await expect
        .poll(() => flow.server.app.services.jobs.listBySubject('wiki.parse', id), { timeout: 10_000 })
        .toMatchObject([{ state: 'failed', attempts: 4 }]);
    }
    expect(await flow.state(await flow.add(txt('after.txt', 'still here')))).toMatchObject({ state: 'ready' });
  });
});

describe('[T71] deleting is final', () => {
  test('deleted while queued or ready: not in lists, not in search, not after a restart and a new index', async () => {
    const first = await flowOn(await startServer());
    const { folder } = first.server;
    const ready = await first.add(txt('ready.txt', 'the ackee entry'));
    await first.state(ready);
    const queued = await first.add(txt('queued.txt', 'the ackee sequel'));
    const kept = await first.add(txt('kept.txt', 'the ackee survivor'));
    expect(
      await first.call('delete_knowledge', { knowledge_base_id: first.baseId, media_ids: [ready, queued] }),
    ).toMatchObject({ code: 0 });
    await first.state(kept);
    expect(await first.found('ackee')).toEqual([kept]);
    const { owner } = first.server;
    await first.server.close();

    const again = await startServer({ folder });
    await again.app.services.searchFeed.waitUntilDrained();
    const call = (operation: string, input: unknown) => again.call('http', 'wiki', operation, input, owner);
    const found = await call('search_knowledge', { query: 'ackee', cursor: '', knowledge_base_id: first.baseId });
    expect(found.data.info_list.map((info: { media_id: string }) => info.media_id)).toEqual([kept]);
    const list = await call('get_knowledge_list', { cursor: '', limit: 50, knowledge_base_id: first.baseId });
    expect(list.data.knowledge_list.map((info: { media_id: string }) => info.media_id)).toEqual([kept]);
    expect(await call('get_media_info', { media_id: queued })).toMatchObject({ code: 110030 });
    await again.close();
  });
});
