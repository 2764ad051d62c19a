import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { NoSuchUpload, SizeMismatch, type BlobStore } from '../../src/ports/blob-store.ts';
import { eachBlobStore } from '@sheaf/tools/testing/databases.ts';

const bytes = (value: string): Uint8Array => new TextEncoder().encode(value);
const read = async (
  store: BlobStore,
  key: string,
  range?: { start: number; end: number },
): Promise<string | undefined> => {
  const stream = await store.get(key, range);
  return stream && text(stream);
};
const put = (store: BlobStore, key: string, value: string) => store.put(key, bytes(value), value.length);

eachBlobStore('blob store', (_name, open) => {
  test('gives back what was put, with its size and MD5', async () => {
    const store = await open();
    expect(await put(store, 'media/one.txt', 'hello')).toEqual({
      key: 'media/one.txt',
      size: 5,
      etag: '5d41402abc4b2a76b9719d911017c592',
    });
    expect(await store.head('media/one.txt')).toEqual({
      key: 'media/one.txt',
      size: 5,
      etag: '5d41402abc4b2a76b9719d911017c592',
    });
    expect(await read(store, 'media/one.txt')).toBe('hello');
  });

  test('a missing key is undefined, and deleting it is no error', async () => {
    const store = await open();
    expect(await store.head('no/such')).toBeUndefined();
    expect(await store.get('no/such')).toBeUndefined();
    await store.delete('no/such');
    await put(store, 'a', '1');
    await store.delete('a');
    expect(await store.head('a')).toBeUndefined();
    expect(await store.get('a')).toBeUndefined();
  });

  test('answers a ping before anything is in it', async () => {
    await expect((await open()).ping()).resolves.toBeUndefined();
  });

  test('an empty object is an object', async () => {
    const store = await open();
    await store.put('empty', Readable.from([]), 0);
    expect(await store.head('empty')).toEqual({ key: 'empty', size: 0, etag: 'd41d8cd98f00b204e9800998ecf8427e' });
    expect(await read(store, 'empty')).toBe('');
  });

  test('an object that waits for something is not there before, and never where that fails', async () => {
    const store = await open();
    let allow = (): void => undefined;
    const waiting = store.put('later', bytes('x'), 1, new Promise<void>((resolve) => (allow = resolve)));
    await put(store, 'meanwhile', 'y');
    expect(await store.head('later')).toBeUndefined();
    allow();
    await waiting;
    expect(await read(store, 'later')).toBe('x');
    const refused = Promise.reject(new Error('no room'));
    await expect(store.put('never', bytes('z'), 1, refused)).rejects.toThrow('no room');
    expect((await store.list('')).map(({ key }) => key)).toEqual(['later', 'meanwhile']);
  });

  test('a second put replaces the object', async () => {
    const store = await open();
    await put(store, 'k', 'first');
    await put(store, 'k', 'second one');
    expect(await read(store, 'k')).toBe('second one');
    expect((await store.head('k'))?.size).toBe(10);
  });

  test('ranges include both ends and stop at the end of the object', async () => {
    const store = await open();
    await put(store, 'k', '0123456789');
    expect(await read(store, 'k', { start: 2, end: 4 })).toBe('234');
    expect(await read(store, 'k', { start: 8, end: 99 })).toBe('89');
    expect(await read(store, 'k', { start: 10, end: 20 })).toBe('');
  });

  test('a body of another size than promised is refused and nothing is kept', async () => {
    const store = await open();
    await put(store, 'kept', 'old');
    for (const key of ['new', 'kept']) {
      await expect(store.put(key, Readable.from([bytes('abc'), bytes('def')]), 5)).rejects.toThrow(SizeMismatch);
      await expect(store.put(key, Readable.from([bytes('abc')]), 5)).rejects.toThrow('expected 5 bytes, got 3');
    }
    expect(await store.head('new')).toBeUndefined();
    expect(await read(store, 'kept')).toBe('old');
    expect((await store.list('')).map((info) => info.key)).toEqual(['kept']);
  });

  test('a body that breaks off leaves nothing', async () => {
    const store = await open();
    const broken = Readable.from(
      (async function* () {
        yield bytes('abc');
        throw new Error('the client went away');
      })(),
    );
    await expect(store.put('k', broken, 6)).rejects.toThrow('the client went away');
    expect(await store.head('k')).toBeUndefined();
  });

  test('a body that is refused after its last byte leaves nothing', async () => {
    const store = await open();
    const refused = Readable.from(
      (async function* () {
        yield bytes('abc');
        yield bytes('def');
        await new Promise((resolve) => setTimeout(resolve, 50));
        throw new Error('these are not the bytes of the checksum');
      })(),
    );
    await expect(store.put('k', refused, 6)).rejects.toThrow('these are not the bytes of the checksum');
    expect(await store.head('k')).toBeUndefined();
  });

  test('lists keys in order, by prefix, in pages', async () => {
    const store = await open();
    for (const key of ['b/2', 'a', 'b/10', 'a/b', 'b.x', 'b/1/deep', 'c', 'a-b']) await put(store, key, key);
    expect((await store.list('')).map((info) => info.key)).toEqual([
      'a',
      'a-b',
      'a/b',
      'b.x',
      'b/1/deep',
      'b/10',
      'b/2',
      'c',
    ]);
    expect((await store.list('b/')).map((info) => info.key)).toEqual(['b/1/deep', 'b/10', 'b/2']);
    expect((await store.list('b/1')).map((info) => info.key)).toEqual(['b/1/deep', 'b/10']);
    expect((await store.list('', { limit: 3 })).map((info) => info.key)).toEqual(['a', 'a-b', 'a/b']);
    expect((await store.list('', { after: 'a/b', limit: 3 })).map((info) => info.key)).toEqual([
      'b.x',
      'b/1/deep',
      'b/10',
    ]);
    expect((await store.list('b/', { after: 'b/10' })).map((info) => info.key)).toEqual(['b/2']);
    expect(await store.list('zzz')).toEqual([]);
    expect((await store.list('c'))[0]).toEqual({ key: 'c', size: 1, etag: '4a8a08f09d37b73795649038408b5f33' });
  });

  test('keys that would leave the store or need escaping are refused', async () => {
    const store = await open();
    for (const key of [
      '',
      '/',
      '../x',
      'a/../../x',
      './x',
      'a//b',
      '/abs',
      'a/',
      'nul\0',
      'a b',
      'ü',
      '~00/x',
      'a'.repeat(300),
      'a\\b',
      '%2e%2e/x',
    ]) {
      await expect(store.put(key, bytes('x'), 1), key).rejects.toThrow('key: must be');
      await expect(store.get(key), key).rejects.toThrow('key: must be');
      await expect(store.delete(key), key).rejects.toThrow('key: must be');
      await expect(store.startUpload(key), key).rejects.toThrow('key: must be');
    }
  });

  test('an upload in parts becomes one object when it is completed, not before', async () => {
    const store = await open();
    const upload = await store.startUpload('big');
    const two = await store.putPart('big', upload, 2, bytes('world'), 5);
    const one = await store.putPart('big', upload, 1, Readable.from([bytes('hel'), bytes('lo ')]), 6);
    expect(one).toEqual({ etag: 'f814893777bcc2295fff05f00e508da6' });
    expect(two).toEqual({ etag: '7d793037a0760186574b0282f2f435e7' });
    expect(await store.listParts('big', upload)).toEqual([
      { part: 1, size: 6, etag: 'f814893777bcc2295fff05f00e508da6' },
      { part: 2, size: 5, etag: '7d793037a0760186574b0282f2f435e7' },
    ]);
    expect(await store.head('big')).toBeUndefined();
    expect(await store.list('')).toEqual([]);
    const whole = { key: 'big', size: 11, etag: 'e09e4fd6265b36115fe3db32df945d84-2' };
    expect(
      await store.completeUpload('big', upload, [
        { part: 1, etag: one.etag },
        { part: 2, etag: two.etag },
      ]),
    ).toEqual(whole);
    expect(await read(store, 'big')).toBe('hello world');
    expect(await store.head('big')).toEqual(whole);
    expect((await store.list('')).map((info) => [info.key, info.size])).toEqual([['big', 11]]);
    expect(await store.listParts('big', upload)).toBeUndefined();
    expect(await store.completeUpload('big', upload, [{ part: 1, etag: one.etag }])).toBeUndefined();
  });

  test('who watches a completion sees every byte and may refuse it at its end: no object, and the upload as it was', async () => {
    const store = await open();
    const upload = await store.startUpload('k');
    const parts = [];
    for (const [part, body] of [
      [1, 'hello '],
      [2, ''],
      [5, 'world'],
    ] as const)
      parts.push({ part, etag: (await store.putPart('k', upload, part, bytes(body), body.length)).etag });
    const seen: string[] = [];
    const watch = {
      chunk: (part: number, chunk: Uint8Array) => void seen.push(`${part}:${Buffer.from(chunk).toString()}`),
      end: () => void seen.push('end'),
    };
    const refusing = { ...watch, end: () => { throw new Error('refused at the end'); } }; // prettier-ignore
    await expect(store.completeUpload('k', upload, parts, refusing)).rejects.toThrow('refused at the end');
    expect(seen.splice(0)).toEqual(['1:hello ', '5:world']);
    expect(await store.head('k')).toBeUndefined();
    expect(await store.listParts('k', upload)).toHaveLength(3);
    expect((await store.completeUpload('k', upload, parts, watch))?.size).toBe(11);
    expect(seen).toEqual(['1:hello ', '5:world', 'end']);
    expect(await read(store, 'k')).toBe('hello world');
  });

  test('a part sent again replaces the earlier one; only the named parts are used', async () => {
    const store = await open();
    const upload = await store.startUpload('k');
    const first = await store.putPart('k', upload, 1, bytes('aaa'), 3);
    const again = await store.putPart('k', upload, 1, bytes('bbb'), 3);
    await store.putPart('k', upload, 2, bytes('unused'), 6);
    expect(await store.completeUpload('k', upload, [{ part: 1, etag: first.etag }])).toBeUndefined();
    expect(await store.completeUpload('k', upload, [{ part: 7, etag: again.etag }])).toBeUndefined();
    expect((await store.completeUpload('k', upload, [{ part: 1, etag: again.etag }]))?.size).toBe(3);
    expect(await read(store, 'k')).toBe('bbb');
  });

  test('an aborted or unknown upload takes no parts', async () => {
    const store = await open();
    const upload = await store.startUpload('k');
    await store.putPart('k', upload, 1, bytes('aaa'), 3);
    await store.abortUpload('k', upload);
    expect(await store.listParts('k', upload)).toBeUndefined();
    await expect(store.putPart('k', upload, 2, bytes('bbb'), 3)).rejects.toThrow(NoSuchUpload);
    await store.abortUpload('k', upload);
    for (const unknown of ['upload_zzzz', 'none', '..']) {
      await expect(store.putPart('k', unknown, 1, bytes('x'), 1), unknown).rejects.toThrow(NoSuchUpload);
      expect(await store.completeUpload('k', unknown, [{ part: 1, etag: '0'.repeat(32) }]), unknown).toBeUndefined();
    }
    await expect(store.putPart('k', upload, 0, bytes('x'), 1)).rejects.toThrow(
      'part: must be a whole number from 1 to 10000 (got 0)',
    );
    await expect(store.putPart('k', upload, 10_001, bytes('x'), 1)).rejects.toThrow('part: must be');
  });

  test('a part of another size than promised is refused and the earlier one stays', async () => {
    const store = await open();
    const upload = await store.startUpload('k');
    await store.putPart('k', upload, 1, bytes('aaa'), 3);
    await expect(store.putPart('k', upload, 1, bytes('bb'), 3)).rejects.toThrow(SizeMismatch);
    expect(await store.listParts('k', upload)).toEqual([
      { part: 1, size: 3, etag: '47bce5c74f589f4867dbd57e9ca9f808' },
    ]);
  });

  test('readers see the old or the new object while it is replaced, never a mixture', async () => {
    const store = await open();
    const versions = [randomBytes(300_000), randomBytes(300_000)];
    await store.put('k', versions[0]!, 300_000);
    const seen = new Set<number>();
    const writing = (async () => {
      for (let round = 1; round <= 10; round++) await store.put('k', Readable.from([versions[round % 2]!]), 300_000);
    })();
    for (let round = 0; round < 20; round++) {
      const stream = await store.get('k');
      const got = stream && (await buffer(stream));
      seen.add(got ? versions.findIndex((version) => version.equals(got)) : -1);
    }
    await writing;
    expect([...seen].filter((index) => index < 0)).toEqual([]);
  });

  test('200 MB pass in both directions with flat memory', async () => {
    const store = await open();
    const size = 200 * 2 ** 20;
    const chunk = Buffer.alloc(2 ** 16, 7);
    const base = process.memoryUsage();
    let peak = 0;
    const sample = (): void => {
      const now = process.memoryUsage();
      peak = Math.max(peak, now.arrayBuffers - base.arrayBuffers + now.heapUsed - base.heapUsed);
    };
    const source = Readable.from(
      (async function* () {
        for (let sent = 0; sent < size; sent += chunk.length) {
          sample();
          yield chunk;
        }
      })(),
    );
    expect((await store.put('large', source, size)).size).toBe(size);
    let received = 0;
    for await (const part of (await store.get('large'))!) {
      sample();
      received += (part as Buffer).length;
    }
    expect(received).toBe(size);
    expect(peak).toBeLessThan(64 * 2 ** 20);
    await store.delete('large');
  });
});
