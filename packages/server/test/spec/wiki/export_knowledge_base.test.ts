import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { newId } from '../../../src/lib/ids.ts';
import type { TestServer } from '@sheaf/tools/testing/test-server.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';
import { onWiki, wikiKit } from './support.ts';

const MiB = 2 ** 20;

/** Bytes that no packing makes smaller, a mebibyte at a time. */
function* noise(mebibytes: number, seed: number): Generator<Buffer> {
  let state = seed;
  for (let i = 0; i < mebibytes; i++) {
    const block = new Uint32Array(MiB / 4);
    for (let at = 0; at < block.length; at++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      block[at] = state;
    }
    yield Buffer.from(block.buffer);
  }
}

/** Files in a base as uploads would have left them. */
async function addLarge({ app, owner }: TestServer, base: string, mebibytes: readonly number[]): Promise<string[]> {
  const hashes: string[] = [];
  for (const [i, size] of mebibytes.entries()) {
    const id = newId('media');
    const blobKey = `wiki/${base}/${id}.pdf`;
    const hash = createHash('sha256');
    for (const block of noise(size, i)) hash.update(block);
    hashes.push(hash.digest('hex'));
    await app.services.blobs.put(blobKey, Readable.from(noise(size, i), { objectMode: false }), size * MiB);
    const item = {
      id,
      baseId: base,
      folderId: base,
      userId: owner.userId,
      mediaType: 1,
      title: `${i}.pdf`,
      state: 'ready' as const,
      kind: 'pdf' as const,
      fileName: `${i}.pdf`,
      contentType: 'application/pdf',
      fileSize: size * MiB,
      blobKey,
      contentId: '',
      lastModifyTime: 0,
      sealedPassword: '',
    };
    await app.services.wiki.items.addItems(
      { at: 1, userId: owner.userId, keyId: '', operation: 'test', requestId: '' },
      [item],
      { quotaBytes: 1e12 },
    );
  }
  return hashes;
}

/** Held by buffers of this process, in MiB, with what could be freed. */
function buffersMiB(): number {
  return process.memoryUsage().arrayBuffers / MiB;
}

onWiki('export_knowledge_base', (call, server) => {
  const kit = wikiKit(call);
  const linkTo = async (base: string, as = server().owner): Promise<string> =>
    (await kit.done('export_knowledge_base', { knowledge_base_id: base }, as)).url;

  test('[W181] a hundred mebibytes pass through without being held', async () => {
    const base = await kit.base('Large');
    const hashes = await addLarge(server(), base, [32, 32, 32]);
    await kit.file(base, 'small.md', '# Small');
    const url = await linkTo(base);
    const before = buffersMiB();
    let most = 0;
    const file = join(await temporaryFolder(), 'large.zip');
    const response = await fetch(url);
    expect([
      response.status,
      response.headers.get('content-type'),
      response.headers.get('content-disposition'),
    ]).toEqual([200, 'application/zip', expect.stringContaining('Large.zip')]);
    await pipeline(async function* () {
      for await (const chunk of response.body!) {
        most = Math.max(most, buffersMiB() - before);
        yield chunk;
      }
    }, createWriteStream(file));
    expect(most).toBeLessThan(64);
    const files = unzipSync(await readFile(file));
    expect(Object.keys(files).toSorted()).toEqual(['0.pdf', '1.pdf', '2.pdf', 'small.md']);
    expect(['0.pdf', '1.pdf', '2.pdf'].map((name) => createHash('sha256').update(files[name]!).digest('hex'))).toEqual(
      hashes,
    );
  });

  test('[W181] two downloads of one user at a time; one that is broken off makes room', async () => {
    const base = await kit.base('Twice');
    await addLarge(server(), base, [24]);
    const url = await linkTo(base);
    const stops = [new AbortController(), new AbortController()];
    for (const { signal } of stops) expect((await fetch(url, { signal })).status).toBe(200);
    const third = await fetch(url);
    expect([third.status, third.headers.get('retry-after'), await third.text()]).toEqual([
      429,
      '30',
      'Two archives are already being downloaded. Try again when one has finished.\n',
    ]);
    for (const stop of stops) stop.abort();
    let status = 429;
    for (let turn = 0; turn < 200 && status === 429; turn++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      const again = await fetch(url);
      status = again.status;
      await again.body?.cancel();
    }
    expect(status).toBe(200);
  });

  test('[W181] the link is for its user and base: not changed, not while suspended, not after leaving, not after deleting', async () => {
    const base = await kit.base('Shared');
    const other = await kit.base('Private');
    await kit.file(base, 'a.md', '# A');
    const viewer = await server().newUser();
    await kit.member(base, viewer, 'viewer');
    const url = await linkTo(base, viewer);
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(url.replace(base, other))).status).toBe(403);
    expect((await fetch(url.replace(viewer.userId, server().owner.userId))).status).toBe(403);
    const accounts = server().app.services.accounts;
    const stamp = {
      at: 1,
      userId: server().owner.userId,
      keyId: '',
      operation: 'test',
      requestId: '',
    };
    await accounts.setUserState(stamp, viewer.userId, 'suspended');
    expect((await fetch(url)).status).toBe(404);
    await accounts.setUserState(stamp, viewer.userId, 'active');
    expect((await fetch(url)).status).toBe(200);
    await kit.done('remove_member', { knowledge_base_id: base, user_id: viewer.userId });
    expect((await fetch(url)).status).toBe(404);
    const own = await linkTo(base);
    expect((await fetch(own)).status).toBe(200);
    await kit.done('delete_knowledge_base', { knowledge_base_id: base });
    expect((await fetch(own)).status).toBe(404);
    expect(await call('export_knowledge_base', { knowledge_base_id: base }, viewer)).toMatchObject({ code: 110030 });
  });
});
