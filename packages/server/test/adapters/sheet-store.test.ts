import { expect, test } from 'vitest';
import { SqlAccountStore } from '../../src/adapters/sql/account-store.ts';
import { SqlDocumentLeaseManager } from '../../src/adapters/sql/document-leases.ts';
import { migrate } from '../../src/adapters/sql/migrate.ts';
import { traceRounds } from '../../src/app/open-tracing.ts';
import { PostgresDatabase } from '../../src/adapters/sql/postgres/database.ts';
import { SqlSheetStore } from '../../src/adapters/sql/sheets/sheet-store.ts';
import { Tracer } from '../../src/kernel/tracer.ts';
import { LeaseLost, type DocumentLease } from '../../src/ports/document-leases.ts';
import { IdempotencyKeyConflict } from '../../src/ports/idempotency-store.ts';
import { VersionConflict, type AppendEntry } from '../../src/ports/sheet-store.ts';
import { eachDatabase } from '@sheaf/tools/testing/databases.ts';
import { stamp } from '@sheaf/tools/testing/stamp-fixture.ts';

const limits = { quotaBytes: 2 ** 40, documentBytes: 2 ** 40 };

const entry = (version: number, given: Parameters<typeof stamp>[0] = {}): AppendEntry => ({
  stamp: stamp({ userId: 'u1', requestId: `r-${version}`, at: 5000 + version, ...given }),
  revision: {
    version,
    userId: 'u1',
    at: 5000 + version,
    tool: `tool ${version}`,
    seed: version,
    mutations: `[${version}]`,
    inverse: '[]',
  },
});

eachDatabase('sheet store', (_name, open) => {
  const opened = async () => {
    const database = await open();
    const accounts = new SqlAccountStore(database);
    for (const id of ['u1', 'u2'])
      await accounts.createUser(stamp(), { id, name: id, role: 'member', passwordHash: null });
    const store = new SqlSheetStore(database, limits);
    await store.create(stamp({ userId: 'u1' }), { id: 'd1', title: 'One', ownerId: 'u1' }, []);
    return { database, store };
  };

  test('a change is indexed a minute after a first edit at the latest, and sooner once the edits have ended', async () => {
    const { database } = await opened();
    let now = 1_000_000;
    const store = new SqlSheetStore(database, limits, { now: () => now });
    const rows = (): Promise<unknown> =>
      database.all(
        "SELECT id, user_id, claim, lease_until FROM search_outbox WHERE claim = 'later' OR user_id = 'u2' ORDER BY seq",
      );
    await store.append('d1', [entry(1, { userId: 'u2' })]);
    await store.append('d1', [entry(2, { userId: 'u2' })]);
    now += 2_000;
    await store.indexSettled();
    expect(await rows()).toEqual([{ id: 'd1', user_id: 'u2', claim: 'later', lease_until: 1_060_000 }]);
    now += 1_000;
    await store.indexSettled();
    await store.indexSettled();
    expect(await rows()).toEqual([{ id: 'd1', user_id: 'u2', claim: '', lease_until: 0 }]);
    await store.append('d1', [entry(3, { userId: 'u2' })]);
    expect(await rows()).toEqual([
      { id: 'd1', user_id: 'u2', claim: '', lease_until: 0 },
      { id: 'd1', user_id: 'u2', claim: 'later', lease_until: 1_063_000 },
    ]);
  });

  test('edits of many documents that are committed together are refused one by one where another was first', async () => {
    const { database, store } = await opened();
    const ids = Array.from({ length: 30 }, (_, index) => `many-${index}`);
    for (const [index, id] of ids.entries())
      await store.create(stamp({ userId: 'u1', requestId: `made ${index}` }), { id, title: id, ownerId: 'u1' }, []);
    const isLate = (index: number): boolean => index % 10 === 3;
    const first = (index: number): AppendEntry => entry(1, { requestId: `first ${index}` });
    for (const [index, id] of ids.entries()) if (isLate(index)) await store.append(id, [first(index)]);
    const mark = { version: 0, at: 1, seed: 1 };
    const results = await Promise.allSettled(
      ids.map((id, index) => store.append(id, [entry(1, { requestId: `edit ${index}` })])),
    );
    const wrong = await Promise.allSettled(
      ids.map((id, index) =>
        store.append(id, [entry(2, { requestId: `again ${index}` })], index < 15 ? undefined : mark),
      ),
    );
    for (const [index, id] of ids.entries()) {
      const edited = results[index]!;
      expect([id, edited.status]).toEqual([id, isLate(index) ? 'rejected' : 'fulfilled']);
      if (edited.status === 'rejected') expect(edited.reason).toBeInstanceOf(VersionConflict);
      // The second edits follow a version, and half of them a revision that is not there.
      expect([id, wrong[index]!.status]).toEqual([id, index < 15 ? 'fulfilled' : 'rejected']);
      expect(await store.version(id)).toBe(index < 15 ? 2 : 1);
    }
    // Nobody's edit was made again because another one was refused.
    if (database instanceof PostgresDatabase) expect(database.batchSplits).toBe(0);
  });

  test('[finding A5] appends in order, all or none, with an audit row for each; stamps stay as they are', async () => {
    const { database, store } = await opened();
    const many = Array.from({ length: 40 }, (_, index) => entry(index + 1));
    await store.append('d1', many);
    expect(
      (await store.revisions('d1', 0, 100)).map(({ version, tool, mutations }) => [version, tool, mutations]),
    ).toEqual(many.map(({ revision: r }) => [r.version, r.tool, r.mutations]));
    expect(many.every((one) => database.isRecorded(one.stamp))).toBe(true);
    const audit = await database.all<{ request_id: string; target: string }>(
      "SELECT request_id, target FROM audit WHERE request_id LIKE 'r-%' ORDER BY id",
    );
    expect(audit).toEqual(many.map((one) => ({ request_id: one.stamp.requestId, target: 'd1' })));
    const late = [entry(40), entry(41)];
    await expect(store.append('d1', late)).rejects.toThrow(VersionConflict);
    await expect(store.append('d1', [entry(42)])).rejects.toThrow(VersionConflict);
    expect(late.some((one) => database.isRecorded(one.stamp))).toBe(false);
    expect((await store.find('d1', 'u1'))?.document).toMatchObject({ version: 40, modifiedAt: 5040 });
    expect((await store.revisions('d1', 39, 10)).map(({ version }) => version)).toEqual([40]);
  });

  test('revisions of some versions are told where they are short, with what undoes them', async () => {
    const { store } = await opened();
    const long = entry(2);
    const wide = { ...long, revision: { ...long.revision, mutations: `["${'字'.repeat(500)}"]` } };
    await store.append('d1', [entry(1), wide, entry(3), entry(4)]);
    const short = await store.shortRevisions('d1', 2, 3, 400);
    expect(short).toEqual([{ version: 3, mutations: entry(3).revision.mutations, inverse: entry(3).revision.inverse }]);
    // Characters count, not bytes.
    expect((await store.shortRevisions('d1', 1, 4, 600)).map(({ version }) => version)).toEqual([1, 2, 3, 4]);
    expect(await store.shortRevisions('d2', 1, 4, 600)).toEqual([]);
  });

  test('of two that append at the same version one wins, whole', async () => {
    const { store } = await opened();
    const results = await Promise.allSettled([
      store.append('d1', [entry(1), entry(2)]),
      store.append('d1', [entry(1, { userId: 'u2' })]),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const version = (await store.find('d1', 'u1'))!.document.version;
    expect((await store.revisions('d1', 0, 10)).map((one) => one.version)).toEqual(
      Array.from({ length: version }, (_, index) => index + 1),
    );
  });

  test('[finding Q12] an append follows the very revision it names, or nothing is written', async () => {
    const { store } = await opened();
    await store.append('d1', [entry(1), entry(2)]);
    const mark = { version: 2, at: 5002, seed: 2 };
    // Behind, ahead, and another revision under the same number.
    await expect(store.append('d1', [entry(2)], { version: 1, at: 5001, seed: 1 })).rejects.toThrow(VersionConflict);
    await expect(store.append('d1', [entry(8)], { version: 7, at: 5007, seed: 7 })).rejects.toThrow(VersionConflict);
    await expect(store.append('d1', [entry(3)], { ...mark, seed: 99 })).rejects.toThrow(VersionConflict);
    await expect(store.append('d1', [entry(3)], { ...mark, at: 1 })).rejects.toThrow(VersionConflict);
    await expect(store.append('none', [entry(3)], mark)).rejects.toThrow(VersionConflict);
    expect(await store.version('d1')).toBe(2);
    await store.append('d1', [entry(3), entry(4)], mark);
    expect(await store.version('d1')).toBe(4);
  });

  test('[T98] with a lease, an append is refused once another node has taken that lease; after settle() there is none', async () => {
    const { database, store } = await opened();
    const clock = { now: () => 1000 };
    const nodeOf = (name: string) => new SqlDocumentLeaseManager(database, clock, name, () => `http://${name}`);
    const lease = (await nodeOf('a').acquire('sheet:d1')) as DocumentLease;
    expect(lease).toEqual({ resource: 'sheet:d1', token: 1 });
    await store.append('d1', [entry(1)], undefined, lease);
    // The lease has not lapsed: another node gets to know its holder, and takes it from that one only.
    const holder = { node: 'a', address: 'http://a', token: 1 };
    expect(await nodeOf('b').acquire('sheet:d1')).toEqual(holder);
    expect(await nodeOf('b').takeFrom('sheet:d1', { ...holder, token: 7 })).toEqual(holder);
    const taken = { resource: 'sheet:d1', token: 2 };
    expect(await nodeOf('b').takeFrom('sheet:d1', holder)).toEqual(taken);
    expect(await nodeOf('b').takeFrom('sheet:d1', holder)).toEqual(taken);
    expect(await nodeOf('c').takeFrom('sheet:d1', holder)).toEqual({ node: 'b', address: 'http://b', token: 2 });
    await store.settle('d1');
    await expect(store.append('d1', [entry(2)], undefined, lease)).rejects.toThrow(LeaseLost);
    expect(await store.version('d1')).toBe(1);
    await store.append('d1', [entry(2)], undefined, taken as DocumentLease);
    // Without a lease the version alone decides.
    await store.append('d1', [entry(3)]);
    expect(await store.version('d1')).toBe(3);
    await store.setDeleted(stamp({ userId: 'u1' }), 'd1', 1);
    await store.purge(stamp({ userId: 'u1' }), 2, 10);
    expect(await database.all("SELECT * FROM document_lease WHERE resource = 'sheet:d1'")).toEqual([]);
  });

  test('[T98] an append of a traced store is refused as well once another node has taken the lease', async () => {
    const { database, store } = await opened();
    traceRounds(new Tracer({ add: () => {} }), store);
    const nodeOf = (name: string) =>
      new SqlDocumentLeaseManager(database, { now: () => 1000 }, name, () => `http://${name}`);
    const lease = (await nodeOf('a').acquire('sheet:d1')) as DocumentLease;
    await store.append('d1', [entry(1)], undefined, lease);
    await nodeOf('b').takeFrom('sheet:d1', { node: 'a', address: 'http://a', token: 1 });
    await expect(store.append('d1', [entry(2)], undefined, lease)).rejects.toThrow(LeaseLost);
  });

  test('[finding Q12] a snapshot is stored only of a revision that the document has', async () => {
    const { database, store } = await opened();
    await store.append('d1', [entry(1), entry(2), entry(3)]);
    const snapshot = (version: number, blobKey = `s/${version}`) => ({ version, blobKey, size: 10, sha256: 'x' });
    expect(await store.saveSnapshot('d1', snapshot(4))).toBe(false);
    expect(await store.saveSnapshot('none', snapshot(1))).toBe(false);
    expect(await store.saveSnapshot('d1', snapshot(2), { version: 2, at: 5002, seed: 99 })).toBe(false);
    expect(await database.all('SELECT version FROM document_snapshot')).toEqual([]);
    expect(await store.saveSnapshot('d1', snapshot(2), { version: 2, at: 5002, seed: 2 })).toBe(true);
    expect(await store.saveSnapshot('d1', snapshot(3))).toBe(true);
    // The object that another one takes the place of is deleted later.
    expect(await store.saveSnapshot('d1', snapshot(3, 's/3 again'))).toBe(true);
    expect(await database.all('SELECT cos_key FROM wiki_garbage')).toEqual([{ cos_key: 's/3' }]);
    expect((await store.snapshots('d1', 9)).map(({ blobKey }) => blobKey)).toEqual(['s/3 again', 's/2']);
  });

  test('[finding Q12] snapshots above the version are passed over, told, and gone before the version reaches them', async () => {
    const { database, store } = await opened();
    await store.append('d1', [entry(1), entry(2)]);
    await store.saveSnapshot('d1', { version: 2, blobKey: 's/2', size: 10, sha256: 'x' });
    await database.write(null, (tx) =>
      tx.execute(
        "INSERT INTO document_snapshot (document_id, version, blob_key, size, sha256) VALUES ('d1', 4, 's/4', 10, 'x')",
      ),
    );
    expect((await store.snapshots('d1', 9)).map(({ version }) => version)).toEqual([2]);
    expect(await store.orphanedSnapshots('d1')).toEqual([4]);
    await store.append('d1', [entry(3)]);
    expect(await store.orphanedSnapshots('d1')).toEqual([]);
    await store.append('d1', [entry(4), entry(5)]);
    expect((await store.snapshots('d1', 9)).map(({ version }) => version)).toEqual([2]);
    expect(await database.all('SELECT cos_key FROM wiki_garbage')).toEqual([{ cos_key: 's/4' }]);
  });

  test('an idempotency key is claimed with the revision, once', async () => {
    const { store } = await opened();
    await store.append('d1', [entry(1, { idempotencyKey: 'k', fingerprint: 'f', answer: () => '{}' })]);
    await expect(
      store.append('d1', [entry(2, { idempotencyKey: 'k', fingerprint: 'f', answer: () => '{}' })]),
    ).rejects.toThrow(IdempotencyKeyConflict);
    expect((await store.find('d1', 'u1'))?.document.version).toBe(1);
  });

  test('[finding Q16] appends with keys share a commit: each answer is stored, and a key that is taken undoes all of them', async () => {
    const { database, store } = await opened();
    const keyed = (version: number, key: string): AppendEntry =>
      entry(version, { idempotencyKey: key, fingerprint: 'f', answer: () => `{"n":${version}}` });
    await store.append('d1', [keyed(1, 'a'), entry(2), keyed(3, 'b')]);
    const more = [keyed(4, 'c'), keyed(5, 'b'), entry(6)];
    await expect(store.append('d1', more)).rejects.toThrow(IdempotencyKeyConflict);
    expect(more.some((one) => database.isRecorded(one.stamp))).toBe(false);
    expect(await database.all('SELECT key, answer FROM idempotency ORDER BY key')).toEqual([
      { key: 'a', answer: '{"n":1}' },
      { key: 'b', answer: '{"n":3}' },
    ]);
    expect((await store.find('d1', 'u1'))?.document.version).toBe(3);
  });

  test('what a user may do is what was said last, however often it was asked before', async () => {
    const { store } = await opened();
    const role = async (user: string) => (await store.find('d1', user))?.role;
    for (let i = 0; i < 2; i++) expect([await role('u1'), await role('u2')]).toEqual(['owner', undefined]);
    await store.share(stamp(), 'd1', 'u2', 'viewer');
    expect(await role('u2')).toBe('viewer');
    await store.share(stamp(), 'd1', 'u2', 'editor');
    expect(await role('u2')).toBe('editor');
    await store.share(stamp(), 'd1', 'u2', undefined);
    expect(await role('u2')).toBeUndefined();
    await store.rename(stamp(), 'd1', 'Two');
    expect((await store.find('d1', 'u1'))?.document.title).toBe('Two');
    await store.setDeleted(stamp(), 'd1', 7000);
    expect((await store.find('d1', 'u1'))?.document.deletedAt).toBe(7000);
    expect(await store.find('d2', 'u1')).toBeUndefined();
  });

  test('[finding Q10] several are found by one question, in the order asked for, each with the role of who asks', async () => {
    const { store } = await opened();
    for (const id of ['d2', 'd3'])
      await store.create(stamp({ userId: 'u2' }), { id, title: `Title of ${id}`, ownerId: 'u2' }, []);
    await store.share(stamp(), 'd3', 'u1', 'viewer');
    const found = await store.findAll(['d3', 'none', 'd1', 'd2'], 'u1');
    expect(found.map(({ document, role }) => [document.id, document.title, role])).toEqual([
      ['d3', 'Title of d3', 'viewer'],
      ['d1', 'One', 'owner'],
      ['d2', 'Title of d2', undefined],
    ]);
    expect(await store.findAll([], 'u1')).toEqual([]);
  });

  test('a change is seen by a lookup that another one overtakes', async () => {
    const { store } = await opened();
    const [, , after] = await Promise.all([
      store.find('d1', 'u2'),
      store.share(stamp(), 'd1', 'u2', 'editor'),
      store.find('d1', 'u2'),
    ]);
    expect([undefined, 'editor']).toContain(after?.role);
    expect((await store.find('d1', 'u2'))?.role).toBe('editor');
    await Promise.all([store.find('d1', 'u1'), store.append('d1', [entry(1)]), store.find('d1', 'u1')]);
    expect((await store.find('d1', 'u1'))?.document.version).toBe(1);
    const found = (await store.find('d1', 'u1'))!;
    found.document.version = 99;
    expect((await store.find('d1', 'u1'))?.document.version).toBe(1);
  });

  test('what another process says counts at once', async () => {
    const place = await open.place();
    const [here, there] = [await place.connect(), await place.connect()];
    try {
      await migrate(here);
      await new SqlAccountStore(here).createUser(stamp(), { id: 'u1', name: 'u1', role: 'member', passwordHash: null });
      await new SqlAccountStore(here).createUser(stamp(), { id: 'u2', name: 'u2', role: 'member', passwordHash: null });
      const [ours, theirs] = [new SqlSheetStore(here, limits), new SqlSheetStore(there, limits)];
      await ours.create(stamp({ userId: 'u1' }), { id: 'd1', title: 'One', ownerId: 'u1' }, []);
      expect((await ours.find('d1', 'u2'))?.role).toBeUndefined();
      await theirs.share(stamp(), 'd1', 'u2', 'editor');
      await turn();
      expect((await ours.find('d1', 'u2'))?.role).toBe('editor');
      await theirs.append('d1', [entry(1)]);
      await turn();
      expect((await ours.find('d1', 'u2'))?.document.version).toBe(1);
      await expect(ours.append('d1', [entry(1)])).rejects.toThrow(VersionConflict);
      await ours.append('d1', [entry(2)]);
      await turn();
      expect((await theirs.find('d1', 'u1'))?.document.version).toBe(2);
    } finally {
      await there.close();
      await here.close();
    }
  });
});

/** Whoever asks in the same turn of the event loop asks at the same time. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

eachDatabase('the bytes of a document', (_name, open) => {
  const revision = (version: number, bytes: number) => ({
    version,
    userId: 'u1',
    at: 1000,
    tool: 't',
    seed: 0,
    mutations: 'x'.repeat(bytes),
    inverse: '',
  });

  test('[M14] [finding R15] a document holds at most so many bytes of contents and history; what is past them changes nothing', async () => {
    const database = await open();
    const store = new SqlSheetStore(database, { quotaBytes: 2 ** 40, documentBytes: 100_000 });
    await store.create(stamp({ userId: 'u1' }), { id: 'd1', title: 'One', ownerId: 'u1' }, [revision(1, 60_000)]);
    const append = (version: number, bytes: number): Promise<void> =>
      store.append('d1', [{ stamp: stamp({ userId: 'u1' }), revision: revision(version, bytes) }]);
    await expect(append(2, 50_000)).rejects.toMatchObject({
      name: 'DocumentTooLarge',
      why: { reason: 'document_full', bytes: 110_000, limit: 100_000 },
    });
    expect((await store.byIds(['d1']))[0]?.version).toBe(1);
    await append(2, 40_000);
    expect(await database.get('SELECT stored_bytes, counted_bytes FROM document')).toEqual({
      stored_bytes: 100_000,
      counted_bytes: 114_688,
    });
  });

  test('[finding R5] a document counts for its owner in blocks, snapshots too, until it is forgotten', async () => {
    const database = await open();
    const store = new SqlSheetStore(database, { quotaBytes: 60_000, documentBytes: 2 ** 40 });
    const used = async (): Promise<number> =>
      (await database.get<{ bytes: number }>('SELECT bytes FROM storage_use WHERE user_id = ?', 'u1'))?.bytes ?? 0;
    await store.create(stamp({ userId: 'u1' }), { id: 'd1', title: 'One', ownerId: 'u1' }, [revision(1, 10)]);
    expect(await used()).toBe(16_384);
    await store.append('d1', [{ stamp: stamp({ userId: 'u2' }), revision: revision(2, 16_374) }]);
    expect(await used()).toBe(16_384);
    await store.append('d1', [{ stamp: stamp({ userId: 'u2' }), revision: revision(3, 1) }]);
    expect(await used()).toBe(32_768);
    await expect(
      store.append('d1', [{ stamp: stamp({ userId: 'u2' }), revision: revision(4, 40_000) }]),
    ).rejects.toMatchObject({
      name: 'QuotaExceeded',
      why: { reason: 'storage_full', field: 'file_id', bytes: 40_000, used: 32_768, quota: 60_000 },
    });
    expect(await used()).toBe(32_768);
    // A snapshot is made whether or not it fits: nobody asked for it.
    await store.saveSnapshot('d1', { version: 3, blobKey: 'sheets/d1/3', size: 100_000, sha256: '' });
    expect(await used()).toBe(131_072);
    await store.dropSnapshots('d1', 4);
    expect(await used()).toBe(32_768);
    await store.setDeleted(stamp({ userId: 'u1' }), 'd1', 5000);
    expect(await store.purge(stamp(), 5000, 10)).toBe(0);
    expect(await store.purge(stamp(), 5001, 10)).toBe(1);
    expect([await used(), await store.byIds(['d1'])]).toEqual([0, []]);
  });
});
