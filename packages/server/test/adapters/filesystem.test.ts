import { open, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { FilesystemBlobStore } from '../../src/adapters/blob/filesystem-store.ts';
import { DamagedBlob } from '../../src/ports/blob-store.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';

async function files(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function flip(path: string, offset: number): Promise<void> {
  const file = await open(path, 'r+');
  const byte = Buffer.alloc(1);
  await file.read(byte, 0, 1, offset);
  byte[0]! ^= 1;
  await file.write(byte, 0, 1, offset);
  await file.close();
}

test('[T68] blob store on files: a flipped bit fails the reader and names the object', async () => {
  const root = await temporaryFolder();
  const store = new FilesystemBlobStore(root);
  await store.put('media/a.bin', Buffer.from('0123456789'), 10);
  const [path] = await files(root);
  await flip(path!, 4);
  const stream = await store.get('media/a.bin');
  await expect(text(stream!)).rejects.toThrow(
    'the stored object media/a.bin is damaged: its bytes do not match their hash',
  );
  await flip(path!, 4);
  expect(await text((await store.get('media/a.bin'))!)).toBe('0123456789');
  await flip(path!, 15);
  await expect(store.head('media/a.bin')).rejects.toThrow(DamagedBlob);
});

test('[T68] blob store on files: a file cut short is damaged, not shorter', async () => {
  const root = await temporaryFolder();
  const store = new FilesystemBlobStore(root);
  await store.put('a', Buffer.from('0123456789'), 10);
  const file = await open((await files(root))[0]!, 'r+');
  await file.truncate(50);
  await file.close();
  await expect(store.get('a')).rejects.toThrow(DamagedBlob);
});

test('blob store on files: failed, completed and aborted uploads leave no files behind', async () => {
  const root = await temporaryFolder();
  const store = new FilesystemBlobStore(root);
  await expect(store.put('a', Readable.from([Buffer.from('abc')]), 5)).rejects.toThrow('expected 5 bytes');
  const completed = await store.startUpload('b');
  const part = await store.putPart('b', completed, 1, Buffer.from('abc'), 3);
  await store.completeUpload('b', completed, [{ part: 1, etag: part.etag }]);
  const aborted = await store.startUpload('c');
  await store.putPart('c', aborted, 1, Buffer.from('abc'), 3);
  await store.abortUpload('c', aborted);
  expect((await files(root)).map((path) => path.slice(root.length + 1))).toEqual([join('objects', '~92', 'b')]);
});

test('blob store on files: what a crash left half-written goes away, what is being written stays', async () => {
  const root = await temporaryFolder();
  await new FilesystemBlobStore(root).put('first', Buffer.from('x'), 1);
  const old = join(root, 'staging', 'tmp-old');
  const young = join(root, 'staging', 'tmp-young');
  await writeFile(old, 'half');
  await writeFile(young, 'half');
  await utimes(old, 1000, 1000);
  await new FilesystemBlobStore(root).put('second', Buffer.from('x'), 1);
  expect(await readdir(join(root, 'staging'))).toEqual(['tmp-young']);
});

test('blob store on files: an upload of one key cannot be used for another', async () => {
  const store = new FilesystemBlobStore(await temporaryFolder());
  const upload = await store.startUpload('mine');
  await expect(store.putPart('other', upload, 1, Buffer.from('x'), 1)).rejects.toThrow('there is no upload');
  expect(await store.listParts('other', upload)).toBeUndefined();
});
