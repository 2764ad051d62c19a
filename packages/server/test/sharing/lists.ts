import { expect } from 'vitest';
import type { Key } from '@sheaf/tools/testing/call-client.ts';
import { changesOfOthers, inboxes, memoriesOf } from './conversations.ts';
import { commonTag } from './create.ts';
import { ranks, type Kind, type Thing } from './model.ts';
import type { Program } from './program.ts';
import { overMcp } from './reads.ts';

/** Compares lists, counts and searches of a random user with the model. */
export async function lookAtLists(program: Program): Promise<void> {
  const user = program.pick(program.active);
  const all = [
    sharedWithMe,
    ownNotes,
    tagLists,
    inboxes,
    tasks,
    linkLists,
    basesAndSheets,
    changesOfOthers,
    searches,
    trash,
    memoriesOf,
    audit,
  ];
  const from = Math.floor(program.fraction() * all.length);
  for (let n = 0; n < 4; n++) await all[(from + n) % all.length]!(program, user);
}

const ids = (things: readonly Thing[]): string[] => things.map(({ id }) => id).sort();

async function pagesOf(
  program: Program,
  name: string,
  input: object,
  field: string,
  user: Key,
): Promise<Record<string, any>[]> {
  const found: Record<string, any>[] = [];
  for (let cursor = ''; ;) {
    const data = await program.done(name, { ...input, cursor }, user);
    found.push(...data[field]);
    if (data.is_end) return found;
    cursor = data.next_cursor;
  }
}

async function sharedWithMe(program: Program, user: Key): Promise<void> {
  const { model } = program;
  const shared = await pagesOf(program, 'sharing.list_shared_with_me', { limit: 100 }, 'shared', user);
  const expected = model.readable(user.userId).filter((one) => one.owner !== user.userId);
  expect(new Map(shared.map((one): [string, string] => [one.id, one.role]).sort()), program.where()).toEqual(
    new Map(expected.map((one): [string, string] => [one.id, model.role(user.userId, one)!]).sort()),
  );
  const notebook = model.things.find(({ kind, isGone }) => kind === 'notebook' && !isGone);
  if (!notebook) return;
  const inside = { folder_id: notebook.id, limit: 100 };
  const found = await pagesOf(program, 'sharing.list_shared_with_me', inside, 'shared', user);
  const mayOpen = notebook.owner !== user.userId && model.may(user.userId, notebook, 'read');
  const notes = expected.filter(({ kind, parent }) => mayOpen && kind === 'note' && parent === notebook);
  expect(found.map(({ id }) => id).sort(), program.where()).toEqual(ids(notes));
}

async function ownNotes(program: Program, user: Key): Promise<void> {
  const owned = program.model.readable(user.userId, 'note').filter((one) => one.owner === user.userId);
  const listed = await pagesOf(program, 'note.list_note', { limit: 20 }, 'note_book_list', user);
  expect(listed.map((one) => one['note_id']).sort(), program.where()).toEqual(ids(owned));
  const browsed = await pagesOf(program, 'note.browse_notes', { limit: 1000 }, 'notes', user);
  expect(browsed.map((one) => one['note_id']).sort(), program.where()).toEqual(ids(owned));
  const replaced = { folder_id: `user_list_${user.userId}`, old: 'body', new: 'BODY', dry_run: true };
  expect((await program.done('note.replace_in_notes', replaced, user)).searched, program.where()).toBe(owned.length);
  const books = await pagesOf(program, 'note.list_notebook', { limit: 20 }, 'note_folder_infos', user);
  const own = program.model.readable(user.userId, 'notebook').filter((one) => one.owner === user.userId);
  // The virtual notebooks of all notes and of those without a notebook come first.
  expect(
    books
      .slice(2)
      .map((one) => one['folder_id'])
      .sort(),
    program.where(),
  ).toEqual(ids(own));
}

async function tagLists(program: Program, user: Key): Promise<void> {
  const { model } = program;
  const notes = model.readable(user.userId, 'note');
  const tagged = await pagesOf(program, 'note.browse_notes', { tag: commonTag, limit: 1000 }, 'notes', user);
  expect(tagged.map((one) => one['note_id']).sort(), program.where()).toEqual(ids(notes));
  const { tags } = await program.done('wiki.list_tags', {}, user);
  const sheets = model.readable(user.userId, 'sheet');
  const items = model.readable(user.userId, 'base').filter(({ isItemDeleted }) => !isItemDeleted);
  const common = tags.find((one: { tag: string }) => one.tag === commonTag) ?? { items: 0, notes: 0, sheets: 0 };
  expect([common.items, common.notes, common.sheets], program.where()).toEqual([
    items.length,
    notes.length,
    sheets.length,
  ]);
  const entries = await pagesOf(program, 'wiki.list_tags', { tag: commonTag, limit: 500 }, 'entries', user);
  expect(entries.map(({ id }) => id).sort(), program.where()).toEqual(
    [...ids(notes), ...ids(sheets), ...items.map(({ item }) => item!)].sort(),
  );
}

async function tasks(program: Program, user: Key): Promise<void> {
  const own = program.model.readable(user.userId, 'note').filter((one) => one.owner === user.userId);
  const found = await program.done('note.list_tasks', { limit: 1000 }, user);
  expect([found.total, found.tasks.length], program.where()).toEqual([own.length, own.length]);
}

async function linkLists(program: Program, user: Key): Promise<void> {
  const { model } = program;
  for (const input of [{}, { broken: true }]) await program.done('note.list_links', { ...input, limit: 500 }, user);
  const thing = program.pick(model.things);
  if (thing.kind === 'notebook') return;
  const answer = await program.call('note.backlinks', { id: thing.item ?? thing.id, limit: 200 }, user);
  if (answer.code !== 0) return;
  for (const { note_id: id } of answer.data.links as { note_id: string }[]) {
    const linking = model.things.find((one) => one.id === id)!;
    expect(model.may(user.userId, linking, 'read'), program.where()).toBe(true);
  }
}

async function basesAndSheets(program: Program, user: Key): Promise<void> {
  const { model } = program;
  const known = new Set(model.things.map(({ id }) => id));
  // Every user has a personal base besides, which the model does not know.
  const inModel = (list: Record<string, any>[], field: string): string[] =>
    list
      .map((one) => one[field] as string)
      .filter((id) => known.has(id))
      .sort();
  const bases = await pagesOf(program, 'wiki.search_knowledge_base', { query: '', limit: 20 }, 'info_list', user);
  expect(inModel(bases, 'id'), program.where()).toEqual(ids(model.readable(user.userId, 'base')));
  const strange = bases.filter(({ id, role_type }) => !known.has(id as string) && role_type !== 'owner');
  expect(strange, program.where()).toEqual([]);
  const addable = await pagesOf(
    program,
    'wiki.get_addable_knowledge_base_list',
    { limit: 50 },
    'addable_knowledge_base_list',
    user,
  );
  const writable = model.readable(user.userId, 'base').filter((one) => ranks[model.role(user.userId, one)!] >= 3);
  expect(inModel(addable, 'id'), program.where()).toEqual(ids(writable));
  const asked = program.pick(model.things);
  const { infos } = await program.done('wiki.get_knowledge_base', { ids: [asked.id] }, user);
  expect(Object.keys(infos).length > 0, program.where()).toBe(
    asked.kind === 'base' && model.may(user.userId, asked, 'read'),
  );
  const files = await pagesOf(program, 'manage.list_files', { limit: 50 }, 'files', user);
  expect(files.map((one) => one['file_id']).sort(), program.where()).toEqual(ids(model.readable(user.userId, 'sheet')));
  await program.done('manage.recent_online_file', { num: 50 }, user);
}

async function searches(program: Program, user: Key): Promise<void> {
  const { model } = program;
  const thing = program.pick(model.things);
  const may = model.mayKnowWord(user.userId, thing);
  const all = await program.done('wiki.search_all', { query: thing.word, passages: true }, user);
  if (!may) {
    expect(all.info_list, program.where()).toEqual([]);
    expect(
      Object.values(all.totals).every((count) => count === 0),
      program.where(),
    ).toBe(true);
  }
  const passages = await program.done('wiki.search_passages', { query: thing.word }, user);
  if (!may) expect([passages.total, passages.documents], program.where()).toEqual([0, []]);
  const filtered = await program.done('wiki.search_all', { query: thing.word, tags: [commonTag] }, user);
  if (!may) expect(filtered.info_list, program.where()).toEqual([]);
  const title = program.pick(thing.names);
  const files = await program.done('manage.search_file', { query: title }, user);
  if (!model.mayKnowName(user.userId, thing)) expect(files.files, program.where()).toEqual([]);
  const words = { search_type: program.pick([0, 1]), query_info: { title, content: thing.word }, start: 0, end: 20 };
  const notes = await program.done('note.search_note', words, user);
  if (thing.owner !== user.userId)
    expect(
      notes.search_note_infos.filter(
        (one: any) => model.things.find(({ id }) => id === one.note_book_info.note_id)?.owner !== user.userId,
      ),
      program.where(),
    ).toEqual([]);
  await program.done('wiki.search_knowledge_base', { query: title, cursor: '', limit: 20 }, user);
  await overMcp(program, user, { method: 'tools/call', params: { name: 'search', arguments: { query: thing.word } } });
  await overMcp(program, user, { method: 'resources/list', params: {} });
}

async function trash(program: Program, user: Key): Promise<void> {
  const deleted = (kind: Kind): string[] =>
    ids(
      program.model.things.filter(
        (one) => one.kind === kind && one.isDeleted && !one.isGone && one.owner === user.userId,
      ),
    );
  const notes = await pagesOf(program, 'note.list_deleted_notes', { limit: 20 }, 'notes', user);
  expect(notes.map((one) => one['note_id']).sort(), program.where()).toEqual(deleted('note'));
  const files = await pagesOf(program, 'manage.list_files', { limit: 50, deleted: true }, 'files', user);
  expect(files.map((one) => one['file_id']).sort(), program.where()).toEqual(deleted('sheet'));
}

/** Members see what they did themselves, and titles stand in nobody's audit. */
async function audit(program: Program, user: Key): Promise<void> {
  const { rows } = await program.done('account.list_audit', { limit: 100 }, user);
  for (const row of rows) expect(row.user_id, program.where()).toBe(user.userId);
  const other = program.pick(program.users).userId;
  const asked = await program.done('account.list_audit', { user_id: other, limit: 20 }, user);
  for (const row of asked.rows) expect(row.user_id, program.where()).toBe(user.userId);
  await program.done('account.list_audit', { limit: 100 }, program.owner);
}
