import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test, onTestFinished } from 'vitest';
import { backup } from '../src/adapters/backup/backup.ts';
import { BackupError, manifestText, type BackupProgress } from '../src/adapters/backup/manifest.ts';
import { restore } from '../src/adapters/backup/restore.ts';
import { FilesystemBlobStore } from '../src/adapters/blob/filesystem-store.ts';
import { SqlAccountStore } from '../src/adapters/sql/account-store.ts';
import { loadInstallationSecret } from '../src/adapters/sql/installation-secret.ts';
import type { Database } from '../src/adapters/sql/database.ts';
import { migrate } from '../src/adapters/sql/migrate.ts';
import { migrations } from '../src/adapters/sql/migrations/index.ts';
import type { BlobInfo, BlobStore } from '../src/ports/blob-store.ts';
import { eachBlobStore, newDatabaseLocation, type DatabaseName } from '@sheaf/tools/testing/databases.ts';
import { stamp } from '@sheaf/tools/testing/stamp-fixture.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';

async function newDatabase(name: DatabaseName, migrated: boolean): Promise<Database> {
  const database = await (await newDatabaseLocation(name)).connect();
  onTestFinished(() => database.close());
  if (migrated) await migrate(database);
  return database;
}

const newBlobs = async (): Promise<BlobStore> => new FilesystemBlobStore(await temporaryFolder());
const newTarget = async (): Promise<string> => join(await temporaryFolder(), 'backup');
const addUser = (database: Database, id: string, name = id) =>
  new SqlAccountStore(database).createUser(stamp({ at: 1, requestId: id }), {
    id,
    name,
    role: 'member',
    passwordHash: null,
  });
const put = (blobs: BlobStore, key: string, value: string) =>
  blobs.put(key, Buffer.from(value), Buffer.byteLength(value));

interface Hashes {
  tables: { name: string; rows: number; sha256: string; lastId?: number }[];
}

async function tablesOf(folder: string): Promise<Hashes['tables']> {
  const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Hashes;
  return manifest.tables.map(({ name, rows, sha256, lastId }) => ({
    name,
    rows,
    sha256,
    ...(lastId === undefined ? {} : { lastId }),
  }));
}

/** Something of every kind: strange text, nulls, large numbers, deleted rows with generated ids, references. */
async function fill(database: Database, blobs: BlobStore): Promise<void> {
  const accounts = new SqlAccountStore(database);
  await addUser(database, 'user_a', 'quote \' " \\ \n 中文 😀 \u2028');
  await addUser(database, 'user_b', '');
  await accounts.createKey(
    stamp(),
    {
      id: 'key_1',
      userId: 'user_a',
      clientId: 'c',
      name: 'k',
      modules: ['*'],
      access: 'write',
      expiresAt: 9007199254740991,
    },
    'hash',
  );
  await accounts.createKey(
    stamp(),
    { id: 'key_0', userId: 'user_b', clientId: 'c', name: 'k', modules: ['*'], access: 'read', expiresAt: null },
    'hash2',
  );
  await database.write(stamp({ idempotencyKey: 'once', answer: () => '{}' }), async () => undefined);
  for (let n = 0; n < 60; n++) await database.write(stamp({ at: n }), async () => undefined);
  await database.write(null, (tx) => tx.run('DELETE FROM audit WHERE id > 50'));
  await put(blobs, 'media/one', 'first');
  await put(blobs, 'media/one/two', 'second 中文');
  await blobs.put('empty', Readable.from([]), 0);
}

const pairs: [DatabaseName, DatabaseName][] = [
  ['sqlite', 'sqlite'],
  ['sqlite', 'postgres'],
  ['postgres', 'postgres'],
  ['postgres', 'sqlite'],
];

for (const [from, to] of pairs) {
  describe(`backup from ${from}, restore to ${to}`, () => {
    test('[T74] everything comes back: a backup of the restored one has the same rows and hashes', async () => {
      const source = await newDatabase(from, true);
      const blobs = await newBlobs();
      await fill(source, blobs);
      const target = await newTarget();
      expect(await backup({ database: source, blobs, target })).toMatchObject({ blobs: 3, bytes: 18, damaged: [] });

      const copy = await newDatabase(to, false);
      const copyBlobs = await newBlobs();
      expect(await restore({ source: target, database: copy, blobs: copyBlobs })).toMatchObject({ blobs: 3 });
      const again = await newTarget();
      await backup({ database: copy, blobs: copyBlobs, target: again });
      expect(await tablesOf(again)).toEqual(await tablesOf(target));
      const counts = Object.fromEntries((await tablesOf(target)).map((table) => [table.name, table.rows]));
      expect(counts).toMatchObject({ user_account: 2, api_key: 2, idempotency: 1, audit: 50 });
      expect(await new SqlAccountStore(copy).user('user_a')).toMatchObject({ name: 'quote \' " \\ \n 中文 😀 \u2028' });
      expect((await new SqlAccountStore(copy).keyBySecretHash('hash'))?.key.expiresAt).toBe(9007199254740991);
      expect((await copyBlobs.list('')).map((info) => info.key)).toEqual(['empty', 'media/one', 'media/one/two']);
      expect(await text((await copyBlobs.get('media/one/two'))!)).toBe('second 中文');
    });

    test('the restored database goes on: ids continue where they were, foreign keys hold', async () => {
      const source = await newDatabase(from, true);
      await fill(source, await newBlobs());
      const target = await newTarget();
      await backup({ database: source, blobs: await newBlobs(), target });
      const copy = await newDatabase(to, false);
      await restore({ source: target, database: copy, blobs: await newBlobs() });
      const before = await source.get<{ id: number }>('SELECT MAX(id) AS id FROM audit');
      expect(before!.id).toBe(50);
      await copy.write(stamp(), async () => undefined);
      const after = await copy.get<{ id: number }>('SELECT MAX(id) AS id FROM audit');
      // Two users, two keys, one call and 60 writes were numbered before; 15 of those rows are deleted.
      expect(after!.id).toBe(66);
      await expect(
        copy.write(null, (tx) => tx.run("INSERT INTO sign_in_token VALUES ('t', 'nobody', 1)")),
      ).rejects.toThrow(/foreign key/i);
    });

    test('[T74] under load the copy is of one moment', async () => {
      const source = await newDatabase(from, true);
      let stop = false;
      let written = 0;
      const writers = Array.from({ length: 4 }, async (_, writer) => {
        while (!stop) {
          // One transaction: a user, and the audit row of the same write.
          await addUser(source, `user_${writer}_${written}`);
          written++;
        }
      });
      const moments: number[] = [];
      try {
        for (let round = 0; round < 2; round++) {
          while (written < (round + 1) * 40) await new Promise<void>((resolve) => setImmediate(resolve));
          const target = await newTarget();
          const progress: BackupProgress[] = [];
          await backup({ database: source, blobs: await newBlobs(), target, progress: (step) => progress.push(step) });
          expect(progress.some((step) => step.stage === 'tables' && step.name === 'user_account')).toBe(true);
          const copy = await newDatabase(to, false);
          await restore({ source: target, database: copy, blobs: await newBlobs() });
          const users = await copy.get<{ n: number }>('SELECT COUNT(*) AS n FROM user_account');
          const orphans = await copy.get(
            'SELECT COUNT(*) AS n FROM user_account WHERE id NOT IN (SELECT target FROM audit)',
          );
          const lost = await copy.get(
            'SELECT COUNT(*) AS n FROM audit WHERE target NOT IN (SELECT id FROM user_account)',
          );
          expect(orphans).toEqual({ n: 0 });
          expect(lost).toEqual({ n: 0 });
          moments.push(users!.n);
        }
      } finally {
        stop = true;
        await Promise.all(writers);
      }
      expect(moments[0]).toBeGreaterThanOrEqual(40);
      expect(moments).toEqual(moments.toSorted((a, b) => a - b));
    });
  });
}

describe('backup', () => {
  async function example(): Promise<{ target: string; database: Database; blobs: BlobStore }> {
    const database = await newDatabase('sqlite', true);
    const blobs = await newBlobs();
    await fill(database, blobs);
    const target = await newTarget();
    await backup({ database, blobs, target });
    return { target, database, blobs };
  }

  async function flip(path: string, offset: number): Promise<void> {
    const file = await open(path, 'r+');
    const byte = Buffer.alloc(1);
    await file.read(byte, 0, 1, offset);
    byte[0]! ^= 1;
    await file.write(byte, 0, 1, offset);
    await file.close();
  }

  async function refused(target: string): Promise<string> {
    const database = await newDatabase('sqlite', false);
    const blobs = await newBlobs();
    const error: unknown = await restore({ source: target, database, blobs }).then(
      () => undefined,
      (restoreError: unknown) => restoreError,
    );
    expect(error).toBeInstanceOf(BackupError);
    expect(await database.all("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'sheaf_open'")).toEqual(
      [],
    );
    expect(await blobs.list('')).toEqual([]);
    return (error as BackupError).message;
  }

  test('[T68][T74] a flipped bit in any file is found, the file is named and nothing is restored', async () => {
    const { target } = await example();
    // Named by the hash of its key, media/one.
    const blobFile = 'blobs/19/198beabc679edf9c0297cf8e1a067770e09bef15aea969fca718daadcc9dfb00';
    for (const [file, message] of [
      [
        'tables/user_account.jsonl',
        'the backup is damaged: tables/user_account.jsonl does not match its hash; nothing was restored',
      ],
      ['blobs.jsonl', 'the backup is damaged: blobs.jsonl does not match its hash; nothing was restored'],
      [blobFile, `the backup is damaged: ${blobFile} does not match its hash; nothing was restored`],
      ['manifest.json', 'the backup is damaged: manifest.json is not as written'],
    ] as const) {
      await flip(join(target, file), 3);
      expect(await refused(target)).toBe(message);
      await flip(join(target, file), 3);
    }
    const database = await newDatabase('sqlite', false);
    await restore({ source: target, database, blobs: await newBlobs() });
  });

  test('[T68] every flipped bit of the manifest is found', async () => {
    const { target } = await example();
    const path = join(target, 'manifest.json');
    const { length } = await readFile(path);
    const database = await newDatabase('sqlite', false);
    const blobs = await newBlobs();
    for (let offset = 0; offset < length - 1; offset += 37) {
      await flip(path, offset);
      const outcome: unknown = await restore({ source: target, database, blobs }).catch((error: unknown) => error);
      expect(outcome, `byte ${offset}`).toBeInstanceOf(BackupError);
      await flip(path, offset);
    }
  });

  test('a missing or shortened file is named', async () => {
    const { target } = await example();
    await rm(join(target, 'tables/audit.jsonl'));
    expect(await refused(target)).toContain('tables/audit.jsonl cannot be read (ENOENT)');
    await rm(join(target, 'manifest.json'));
    expect(await refused(target)).toBe(`${target} is not a backup: manifest.json cannot be read (ENOENT)`);
  });

  test('a database with rows is refused and stays as it is', async () => {
    const { target } = await example();
    for (const name of ['sqlite', 'postgres'] as const) {
      const database = await newDatabase(name, true);
      await addUser(database, 'mine');
      const blobs = await newBlobs();
      await expect(restore({ source: target, database, blobs })).rejects.toThrow(
        /the database is not empty \((audit|user_account) has rows\): restore into a new one/,
      );
      expect((await new SqlAccountStore(database).listUsers()).map((user) => user.id)).toEqual(['mine']);
      expect(await blobs.list('')).toEqual([]);
    }
  });

  test('a database that is migrated but empty is fine', async () => {
    const { target } = await example();
    const database = await newDatabase('postgres', true);
    await restore({ source: target, database, blobs: await newBlobs() });
    expect((await new SqlAccountStore(database).listUsers()).map((user) => user.id)).toEqual(['user_a', 'user_b']);
  });

  test('[T73] a backup of a newer schema is refused with a line that says what to do', async () => {
    const database = await newDatabase('sqlite', true);
    await database.write(null, (tx) => tx.run("INSERT INTO schema_version VALUES (999, 'from the future')"));
    const target = await newTarget();
    await backup({ database, blobs: await newBlobs(), target });
    expect(await refused(target)).toMatch(
      /^the backup has schema version 999, this sheaf knows \d+: restore it with the newer sheaf$/,
    );
  });

  test('a backup of an older schema is restored and brought up to date', async () => {
    for (const [from, to] of [
      ['sqlite', 'postgres'],
      ['postgres', 'sqlite'],
    ] as const) {
      const old = await newDatabase(from, false);
      await migrate(old, migrations.slice(0, 1));
      // Today's store also writes columns that this schema lacks.
      await old.write(null, (tx) =>
        tx.run(`INSERT INTO user_account (id, name, role, state, password_hash, created_at)
          VALUES ('user_a', 'a', 'member', 'active', NULL, 1)`),
      );
      const target = await newTarget();
      await backup({ database: old, blobs: await newBlobs(), target });
      const copy = await newDatabase(to, false);
      await restore({ source: target, database: copy, blobs: await newBlobs() });
      expect(await copy.get('SELECT COUNT(*) AS n FROM schema_version')).toEqual({ n: migrations.length });
      expect((await new SqlAccountStore(copy).listUsers()).map((user) => user.id)).toEqual(['user_a']);
    }
  });

  test('a database without tables is no backup', async () => {
    const database = await newDatabase('sqlite', false);
    await expect(backup({ database, blobs: await newBlobs(), target: await newTarget() })).rejects.toThrow(
      'the database is empty: there is nothing to back up',
    );
  });

  test('an existing folder is not overwritten, and a backup that fails leaves nothing', async () => {
    const database = await newDatabase('sqlite', true);
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'taken'));
    await expect(backup({ database, blobs: await newBlobs(), target: join(folder, 'taken') })).rejects.toThrow(
      'exists already: give the name of a new folder',
    );
    const broken: BlobStore = Object.assign(Object.create(await newBlobs()) as BlobStore, {
      list: async () => Promise.reject(new Error('the store is gone')),
    });
    await expect(backup({ database, blobs: broken, target: join(folder, 'new') })).rejects.toThrow('the store is gone');
    expect(await readdir(folder)).toEqual(['taken']);
  });

  test('tables that refer to themselves, have no key or hold bytes are restored too', async () => {
    for (const [from, to] of pairs) {
      const source = await newDatabase(from, true);
      const { text: textType, blob } = source.dialect;
      const tree = [
        `CREATE TABLE tree (id ${textType} PRIMARY KEY, parent ${textType} REFERENCES tree(id))`,
        `CREATE TABLE loose (n DOUBLE PRECISION, data ${blob})`,
      ];
      await source.script(tree, 'SELECT 1');
      await source.write(null, async (tx) => {
        await tx.run("INSERT INTO tree VALUES ('z', NULL)");
        for (let n = 0; n < 30; n++)
          await tx.run(
            'INSERT INTO tree VALUES (?, ?)',
            `a${String(n).padStart(2, '0')}`,
            n === 0 ? 'z' : `a${String(n - 1).padStart(2, '0')}`,
          );
        await tx.run("UPDATE tree SET parent = 'a29' WHERE id = 'a00'");
        for (let n = 0; n < 100; n++)
          await tx.run('INSERT INTO loose VALUES (?, ?)', n + 0.5, n === 0 ? null : Buffer.alloc(n, n));
      });
      const target = await newTarget();
      await backup({ database: source, blobs: await newBlobs(), target });
      const copy = await newDatabase(to, true);
      await copy.script(
        tree.map((sql) => sql.replaceAll(textType, copy.dialect.text).replaceAll(blob, copy.dialect.blob)),
        'SELECT 1',
      );
      await restore({ source: target, database: copy, blobs: await newBlobs() });
      expect(await copy.get('SELECT COUNT(*) AS n, MIN(parent) AS first FROM tree'), `${from} to ${to}`).toEqual({
        n: 31,
        first: 'a00',
      });
      const bytes = await copy.get<{ data: Uint8Array }>('SELECT data FROM loose WHERE n = 99.5');
      expect(Buffer.from(bytes!.data).equals(Buffer.alloc(99, 99))).toBe(true);
      const again = await newTarget();
      await backup({ database: copy, blobs: await newBlobs(), target: again });
      expect(await tablesOf(again), `${from} to ${to}`).toEqual(await tablesOf(target));
      await expect(copy.write(null, (tx) => tx.run("INSERT INTO tree VALUES ('x', 'nobody')"))).rejects.toThrow(
        /foreign key/i,
      );
    }
  });

  /** A manifest that says something else, with a checksum that fits: anybody can write one. */
  async function forge(target: string, change: (manifest: any) => void): Promise<void> {
    const { checksum: _old, ...manifest } = JSON.parse(await readFile(join(target, 'manifest.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    change(manifest);
    await writeFile(join(target, 'manifest.json'), manifestText(manifest as never));
  }
  const entryOf = async (path: string) => {
    const bytes = await readFile(path);
    return { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  };

  test('[finding R15] a backup cannot name a file outside of it, by its path or by a link', async () => {
    const outside = join(await temporaryFolder(), 'private');
    await writeFile(outside, 'private words');
    const { target } = await example();
    const key = 'media/one';
    const path = `../${'../'.repeat(20)}${outside.slice(1)}`;
    const line = async (file: string, to: string) => {
      await writeFile(join(to, 'blobs.jsonl'), `${JSON.stringify({ key, file, ...(await entryOf(outside)) })}\n`);
      await forge(to, (manifest) => Object.assign(manifest.blobs, { count: 1 }));
      const entry = await entryOf(join(to, 'blobs.jsonl'));
      await forge(to, (manifest) => Object.assign(manifest.blobs, entry));
    };
    await line(path, target);
    expect(await refused(target)).toContain('does not lie where it belongs; nothing was restored');
    const place = 'blobs/19/198beabc679edf9c0297cf8e1a067770e09bef15aea969fca718daadcc9dfb00';
    await rm(join(target, place));
    await symlink(outside, join(target, place));
    await line(place, target);
    expect(await refused(target)).toContain(`${place} lies outside of the backup; nothing was restored`);
    const other = (await example()).target;
    await forge(other, (manifest) => (manifest.tables[0].file = path));
    expect(await refused(other)).toContain('does not lie where it belongs');
  });

  test.each(['sqlite', 'postgres'] as const)(
    '[finding R15] the secret of an installation is in no backup but under a passphrase (%s)',
    async (name) => {
      const database = await newDatabase(name, true);
      const secret = (await loadInstallationSecret(database)).toString('hex');
      const blobs = await newBlobs();
      const [plain, sealed] = [await newTarget(), await newTarget()];
      await backup({ database, blobs, target: plain });
      await backup({ database, blobs, target: sealed, passphrase: 'correct horse' });
      for (const folder of [plain, sealed]) {
        const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((file) => file.isFile());
        for (const file of files)
          expect((await readFile(join(file.parentPath, file.name), 'utf8')).includes(secret)).toBe(false);
      }
      const restored = async (source: string, passphrase?: string) => {
        const copy = await newDatabase(name, false);
        const { hasSecret } = await restore({ source, database: copy, blobs: await newBlobs(), passphrase });
        return [hasSecret, (await loadInstallationSecret(copy)).toString('hex') === secret];
      };
      expect(await restored(plain)).toEqual([false, false]);
      expect(await restored(sealed)).toEqual([false, false]);
      expect(await restored(sealed, 'correct horse')).toEqual([true, true]);
      await expect(restored(sealed, 'wrong horse')).rejects.toThrow(
        'is not the passphrase that the backup was made with',
      );
    },
    120_000,
  );

  test('a backup of an earlier version, which has the secret among its tables, is restored with it', async () => {
    const { target, database } = await example();
    const secret = await loadInstallationSecret(database);
    const file = 'tables/installation_secret.jsonl';
    await writeFile(join(target, file), `${JSON.stringify({ name: 'root', value: secret.toString('hex') })}\n`);
    const entry = { name: 'installation_secret', file, rows: 1, ...(await entryOf(join(target, file))) };
    await forge(target, (manifest) => manifest.tables.push(entry));
    const copy = await newDatabase('sqlite', false);
    expect((await restore({ source: target, database: copy, blobs: await newBlobs() })).hasSecret).toBe(true);
    expect(await loadInstallationSecret(copy)).toEqual(secret);
  });
});

eachBlobStore('backup of blobs', (name, openStore) => {
  test('blobs deleted after they were listed are left out, all others are there', async () => {
    const database = await newDatabase('sqlite', true);
    const blobs = await openStore();
    for (const key of ['a', 'b', 'c', 'd']) await put(blobs, key, key);
    const list = blobs.list.bind(blobs);
    // Deleted by somebody else between the listing and the copying.
    const racing: BlobStore = Object.assign(blobs, {
      list: async (prefix: string, options?: { after?: string; limit?: number }): Promise<BlobInfo[]> => {
        const page = await list(prefix, options);
        await blobs.delete('b');
        return page;
      },
    });
    const target = await newTarget();
    expect(await backup({ database, blobs: racing, target })).toMatchObject({ blobs: 3, damaged: [] });
    const copy = await newDatabase('sqlite', false);
    const restored = await openStore();
    await restore({ source: target, database: copy, blobs: restored });
    expect((await restored.list('')).map((info) => info.key)).toEqual(['a', 'c', 'd']);
    expect(await text((await restored.get('d'))!)).toBe('d');
  });

  if (name === 'files') {
    test('[T68] a damaged blob is named and left out, all others are saved', async () => {
      const root = await temporaryFolder();
      const blobs = new FilesystemBlobStore(root);
      await put(blobs, 'bad', 'bad bytes');
      await put(blobs, 'good', 'good bytes');
      const bad = (await readdir(join(root, 'objects'), { recursive: true })).find((path) => path.endsWith('bad'))!;
      const file = await open(join(root, 'objects', bad), 'r+');
      await file.write(Buffer.from('X'), 0, 1, 2);
      await file.close();
      const target = await newTarget();
      expect(await backup({ database: await newDatabase('sqlite', true), blobs, target })).toMatchObject({
        blobs: 1,
        damaged: ['bad'],
      });
      const restored = await newBlobs();
      await restore({ source: target, database: await newDatabase('sqlite', false), blobs: restored });
      expect((await restored.list('')).map((info) => info.key)).toEqual(['good']);
    });
  }
});
