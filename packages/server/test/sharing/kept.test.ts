import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backup } from '../../src/adapters/backup/backup.ts';
import { restore } from '../../src/adapters/backup/restore.ts';
import { FilesystemBlobStore } from '../../src/adapters/blob/filesystem-store.ts';
import { newDatabaseLocation, type DatabaseName } from '@sheaf/tools/testing/databases.ts';
import type { Callable, Key } from '@sheaf/tools/testing/call-client.ts';
import { freshPostgres } from '@sheaf/tools/testing/postgres.ts';
import { eachServer, startServer, type TestServer } from '@sheaf/tools/testing/test-server.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';
import { publicLinkBytes } from '../../src/ports/public-link-store.ts';

const tables = [
  'share_grant',
  'user_group',
  'group_member',
  'public_link',
  'note_link',
  'note_task',
  'object_tag',
  'note_change',
] as const;

async function done(node: Callable, name: string, input: object, as?: Key): Promise<any> {
  const [module, operation] = name.split('.') as [string, string];
  const answer = await node.call('http', module, operation, input, as);
  expect([name, answer.code, answer.msg]).toEqual([name, 0, 'success']);
  return answer.data;
}

async function codeOf(node: Callable, name: string, input: object, as?: Key): Promise<number> {
  const [module, operation] = name.split('.') as [string, string];
  return (await node.call('http', module, operation, input, as)).code;
}

async function visit(url: string, module: string, read: string, link: string, input: object = {}): Promise<any> {
  const response = await fetch(`${url}/public/${module}/v1/${read}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-sheaf-link': link.split(/[#.]/).at(-1)! },
    body: JSON.stringify(input),
  });
  return response.json();
}

interface Made {
  ben: Key;
  cem: Key;
  group: string;
  target: string;
  linking: string;
  inside: string;
  book: string;
  base: string;
  item: string;
  file: string;
  change: string;
  links: Record<'note' | 'notebook' | 'base', string>;
}

/** One of everything that is shared, linked, tagged and published. */
async function make(node: TestServer): Promise<Made> {
  const [ben, cem] = [await node.newUser(), await node.newUser()];
  const { group } = await done(node, 'account.create_group', { name: `Editors ${ben.userId}` });
  await done(node, 'account.add_group_members', { group_id: group.group_id, user_ids: [ben.userId] });
  const newNote = async (content: string, folder?: string): Promise<string> =>
    (await done(node, 'note.import_doc', { content_format: 1, content, ...(folder ? { folder_id: folder } : {}) }))
      .note_id;
  const { folder } = await done(node, 'note.add_notebook', { name: `Book ${ben.userId}` });
  const book = folder.folder_id as string;
  const target = await newNote('# Target\n\nwords #kept');
  const linking = await newNote('# Linking\n\nSee [[Target]].\n\n- [ ] call @2026-12-01');
  const inside = await newNote('# Inside\n\nof the book', book);
  await done(node, 'note.tag_note', { note_id: target, add: ['added'] });
  const { change_id: change } = await done(node, 'note.rename_note', { note_id: target, title: 'Aim' });
  const { knowledge_base_id: base } = await done(node, 'wiki.create_knowledge_base', { name: 'Base' });
  const content = Buffer.from('item text').toString('base64');
  const { media_id: item } = await done(node, 'wiki.upload_knowledge', {
    knowledge_base_id: base,
    file_name: 'a.md',
    content,
  });
  const { file_id: file } = await done(node, 'manage.create_file', { title: 'Figures' });
  await done(node, 'manage.tag_file', { file_id: file, add: ['kept'] });
  const share = (kind: string, id: string, to: object, role: string) =>
    done(node, 'sharing.share', { kind, id, ...to, role });
  await share('note', target, { group_id: group.group_id }, 'write');
  await share('notebook', book, { everyone: true }, 'read');
  await share('base', base, { group_id: group.group_id }, 'read');
  await share('base', base, { user_id: cem.userId }, 'write');
  await share('sheet', file, { user_id: cem.userId }, 'comment');
  const publish = async (kind: string, id: string): Promise<string> =>
    (await done(node, 'sharing.publish', { kind, id })).url;
  const links = {
    note: await publish('note', target),
    notebook: await publish('notebook', book),
    base: await publish('base', base),
  };
  await done(node, 'note.list_tasks', {});
  await done(node, 'wiki.list_tags', {});
  await done(node, 'wiki.get_knowledge_state', { media_ids: [item], wait_seconds: 20 });
  return { ben, cem, group: group.group_id, target, linking, inside, book, base, item, file, change, links };
}

/** What each of them gets, asked of one node. */
async function expectAll(node: Callable & { url: string }, owner: Key, made: Made): Promise<void> {
  const { ben, cem } = made;
  expect((await done(node, 'note.export_note', { note_id: made.target }, ben)).role).toBe('write');
  expect(await codeOf(node, 'note.export_note', { note_id: made.target }, cem)).toBe(210034);
  expect((await done(node, 'note.export_note', { note_id: made.inside }, cem)).role).toBe('read');
  expect((await done(node, 'wiki.get_knowledge_content', { media_id: made.item }, ben)).content).toBe('item text');
  const kindsOf = async (as: Key): Promise<string[]> =>
    (await done(node, 'sharing.list_shared_with_me', {}, as)).shared
      .map((one: any) => `${one.kind} ${one.role}`)
      .sort();
  expect(await kindsOf(ben)).toEqual(['base read', 'note read', 'note write', 'notebook read']);
  expect(await kindsOf(cem)).toEqual(['base write', 'note read', 'notebook read', 'sheet comment']);
  expect((await done(node, 'account.list_group_members', { group_id: made.group }, owner)).members).toMatchObject([
    { user_id: ben.userId },
  ]);
  expect((await done(node, 'note.backlinks', { id: made.target }, owner)).links).toMatchObject([
    { note_id: made.linking, sentence: 'See [[Aim]].' },
  ]);
  expect((await done(node, 'note.list_tasks', {}, owner)).tasks).toMatchObject([{ text: 'call @2026-12-01' }]);
  const { tags } = await done(node, 'wiki.list_tags', {}, owner);
  expect(tags).toEqual([
    { tag: 'kept', items: 0, notes: 1, sheets: 1 },
    { tag: 'added', items: 0, notes: 1, sheets: 0 },
  ]);
  expect((await visit(node.url, 'note', 'read', made.links.note)).data.content).toContain('words');
  expect((await visit(node.url, 'note', 'list', made.links.notebook)).data.notes).toMatchObject([{ title: 'Inside' }]);
  expect((await visit(node.url, 'wiki', 'list', made.links.base)).data.entries).toMatchObject([{ id: made.item }]);
  // The address of a link is made again from the installation's secret.
  const published = (await done(node, 'sharing.list_published', { kind: 'note', id: made.target }, owner)).links;
  expect(published.map(({ url }: { url: string }) => url.split('#')[1])).toEqual([made.links.note.split('#')[1]]);
}

describe.each([
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
] as [DatabaseName, DatabaseName][])('a backup of %s restored to %s', (from, to) => {
  test('[finding G8] [finding P20] has grants, groups, public links, links, tasks, tags and changes to undo', async () => {
    const server = await startServer({ database: from });
    const location = await newDatabaseLocation(to);
    let restored: TestServer | undefined;
    try {
      const made = await make(server);
      const target = join(await temporaryFolder(), 'backup');
      const passphrase = 'of the backup';
      await backup({ database: server.app.database, blobs: server.app.services.blobs, target, passphrase });
      const folder = to === 'sqlite' ? dirname(location.location) : await temporaryFolder();
      const place = await location.connect();
      const blobs = new FilesystemBlobStore(join(folder, 'blobs'));
      await restore({ database: place, blobs, source: target, passphrase });
      for (const table of tables) {
        const rows = async (database: Pick<typeof place, 'all'>): Promise<string[]> =>
          (await database.all<object>(`SELECT * FROM ${table}`)).map((row) => JSON.stringify(row)).sort();
        const kept = await rows(server.app.database);
        expect([table, kept.length > 0]).toEqual([table, true]);
        expect([table, await rows(place)]).toEqual([table, kept]);
      }
      await place.close();
      restored = await startServer({ database: to, folder, databaseUrl: location.location });
      await expectAll(restored, server.owner, made);
      const undone = await done(restored, 'note.undo_note_change', { change_id: made.change }, server.owner);
      expect(undone.notes.map(({ title }: { title: string }) => title).sort()).toEqual(['Linking', 'Target']);
    } finally {
      await restored?.close();
      await server.close();
    }
  });
});

describe('three nodes', () => {
  const nodes: TestServer[] = [];
  let made: Made;

  beforeAll(async () => {
    const databaseUrl = await freshPostgres();
    const folder = await temporaryFolder();
    for (let n = 0; n < 3; n++) nodes.push(await startServer({ database: 'postgres', databaseUrl, folder }));
    made = await make(nodes[0]!);
  });

  afterAll(async () => {
    for (const node of nodes) await node.close();
  });

  test('[finding G8] every node knows grants, groups, links, tags, tasks and public links', async () => {
    for (const node of nodes) await expectAll(node, nodes[0]!.owner, made);
  });

  test('[T90] [T91] what one node ends is over on all at the next request', async () => {
    const [one, two, three] = nodes as [TestServer, TestServer, TestServer];
    const { owner } = one;
    await done(two, 'sharing.unshare', { kind: 'sheet', id: made.file, user_id: made.cem.userId }, owner);
    for (const node of nodes)
      expect(await codeOf(node, 'manage.query_file_info', { file_id: made.file }, made.cem)).not.toBe(0);
    await done(three, 'account.remove_group_members', { group_id: made.group, user_ids: [made.ben.userId] }, owner);
    for (const node of nodes) {
      expect(await codeOf(node, 'note.export_note', { note_id: made.target }, made.ben)).toBe(210034);
      expect(await codeOf(node, 'wiki.get_media_info', { media_id: made.item }, made.ben)).not.toBe(0);
    }
    const { links } = await done(one, 'sharing.list_published', { kind: 'note', id: made.target }, owner);
    await done(two, 'sharing.unpublish', { kind: 'note', id: made.target, link_id: links[0].link_id }, owner);
    for (const node of nodes) expect((await visit(node.url, 'note', 'read', made.links.note)).code).not.toBe(0);
    await done(three, 'note.move_notes', { note_ids: [made.inside], folder_id: '' }, owner);
    for (const node of nodes) {
      expect(await codeOf(node, 'note.export_note', { note_id: made.inside }, made.cem)).toBe(210034);
      expect((await visit(node.url, 'note', 'list', made.links.notebook)).data.notes).toEqual([]);
    }
  });

  test('a role lowered for all by the older operation holds on every node', async () => {
    const { file_id } = await done(nodes[0]!, 'manage.create_file', { title: 'For all' });
    await done(nodes[1]!, 'manage.set_privilege', { file_id, policy: 3 }, nodes[0]!.owner);
    const rename = { file_id, title: 'Changed' };
    for (const node of nodes) expect(await codeOf(node, 'manage.rename_file', rename, made.cem)).toBe(0);
    await done(nodes[1]!, 'manage.set_privilege', { file_id, policy: 2 }, nodes[0]!.owner);
    for (const node of nodes) expect(await codeOf(node, 'manage.rename_file', rename, made.cem)).toBe(310007);
  });
});

eachServer('what is shared', (server) => {
  test('[finding P20] links count against the quota of who made them until they end', async () => {
    const ada = await server().newUser();
    const { note_id: id } = await done(server(), 'note.import_doc', { content_format: 1, content: '# Open' }, ada);
    const used = async (): Promise<number> => {
      const row = await server().app.database.get<{ bytes: number }>(
        'SELECT bytes FROM storage_use WHERE user_id = ?',
        ada.userId,
      );
      return row?.bytes ?? 0;
    };
    const before = await used();
    const { link } = await done(server(), 'sharing.publish', { kind: 'note', id }, ada);
    expect((await used()) - before).toBe(publicLinkBytes);
    await done(server(), 'sharing.unpublish', { kind: 'note', id, link_id: link.link_id }, ada);
    expect(await used()).toBe(before);
  });

  test('[finding G8] every write is in the audit with what it changed, and no title is', async () => {
    const [ada, ben] = [await server().newUser(), await server().newUser()];
    const ask = (name: string, input: object, as: Key = ada) => done(server(), name, input, as);
    const { note_id: id } = await ask('note.import_doc', {
      content_format: 1,
      content: '# Quincewort\n\n- [ ] call\n\nold',
    });
    const { note_id: other } = await ask('note.import_doc', { content_format: 1, content: '# B\n\n[[Quincewort]]' });
    await ask('note.edit_note', { note_id: id, edits: [{ old: 'old', new: 'new' }] });
    await ask('note.set_task', { note_id: id, text: 'call', done: true });
    await ask('note.tag_note', { note_id: id, add: ['t'] });
    const { change_id } = await ask('note.replace_in_notes', { note_ids: [id], old: 'new', new: 'newer' });
    await ask('note.undo_note_change', { change_id });
    await ask('note.rename_note', { note_id: id, title: 'Medlar' });
    await ask('sharing.share', { kind: 'note', id, user_id: ben.userId, role: 'write' });
    await ask('note.edit_note', { note_id: id, edits: [{ old: 'new', new: 'his' }] }, ben);
    await ask('sharing.unshare', { kind: 'note', id, user_id: ben.userId });
    const { link } = await ask('sharing.publish', { kind: 'note', id });
    await ask('sharing.unpublish', { kind: 'note', id, link_id: link.link_id });
    const { rows } = await ask('account.list_audit', {});
    const written = rows.filter((row: any) => row.operation !== 'note.import_doc').reverse();
    expect(written.map((row: any) => [row.operation, row.target])).toEqual(
      ['edit_note', 'set_task', 'tag_note', 'replace_in_notes', 'undo_note_change', 'rename_note']
        .map((name) => [`note.${name}`, id])
        .concat(['share', 'unshare', 'publish', 'unpublish'].map((name) => [`sharing.${name}`, id])),
    );
    expect((await ask('account.list_audit', {}, ben)).rows).toMatchObject([
      { operation: 'note.edit_note', target: id },
    ]);
    const all = JSON.stringify((await done(server(), 'account.list_audit', {})).rows);
    expect(all).toContain(other);
    expect(all).not.toMatch(/Quincewort|Medlar/);
  });

  test('[T90] a closed account leaves no grant, membership or link, and what it wrote stays with others', async () => {
    const [ada, ben] = [await server().newUser(), await server().newUser()];
    const ask = (name: string, input: object, as: Key = ada) => done(server(), name, input, as);
    const { note_id: id } = await ask('note.import_doc', { content_format: 1, content: '# Stays' });
    const { knowledge_base_id: base } = await ask('wiki.create_knowledge_base', { name: 'Papers' });
    const { file_id: file } = await ask('manage.create_file', { title: 'Figures' });
    const { group } = await done(server(), 'account.create_group', { name: `G ${ada.userId}` });
    await done(server(), 'account.add_group_members', { group_id: group.group_id, user_ids: [ben.userId] });
    for (const [kind, of] of [
      ['note', id],
      ['base', base],
      ['sheet', file],
    ] as const)
      for (const role of kind === 'sheet' ? ['comment', 'read'] : ['write'])
        await ask('sharing.share', { kind, id: of, user_id: ben.userId, role });
    await done(server(), 'account.delete_user', { user_id: ben.userId });
    for (const [kind, of] of [
      ['note', id],
      ['sheet', file],
    ] as const)
      expect((await ask('sharing.list_shares', { kind, id: of })).shares).toEqual([]);
    expect((await ask('sharing.list_shares', { kind: 'base', id: base })).shares).toMatchObject([
      { user_id: ada.userId, role: 'own' },
    ]);
    const { infos } = await ask('wiki.get_knowledge_base', { ids: [base] });
    expect(infos[base].member_count ?? 1).toBe(1);
    expect((await ask('wiki.list_members', { knowledge_base_id: base })).members).toHaveLength(1);
    expect(
      (await done(server(), 'account.list_group_members', { group_id: group.group_id }, server().owner)).members,
    ).toEqual([]);
    const cem = await server().newUser();
    await ask('sharing.share', { kind: 'note', id, user_id: cem.userId, role: 'read' });
    await done(server(), 'account.delete_user', { user_id: ada.userId });
    expect((await ask('note.export_note', { note_id: id }, cem)).content).toBe('# Stays');
  });
});
