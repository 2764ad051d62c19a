import { expect } from 'vitest';
import type { Key } from '@sheaf/tools/testing/call-client.ts';
import type { Role, Thing } from './model.ts';
import { nameOf, type Program } from './program.ts';

/** Reads of each kind, which answer 0 only to those who have the role. */
function readsOf(thing: Thing): [string, object, Role?][] {
  const { kind, id } = thing;
  return [...readsOfKind(thing), ['sharing.list_people', { kind, id }, 'comment']];
}

function readsOfKind({ kind, id, item, sheetId, word }: Thing): [string, object, Role?][] {
  switch (kind) {
    case 'note':
      return [
        ['note.export_note', { note_id: id }],
        ['note.export_note', { note_id: id, format: 'json' }],
        ['note.export_note', { note_id: id, version: 1 }],
        ['note.get_note_history', { note_id: id }],
        ['note.read_note', { note_id: id, outline: true, tags: true }],
        ['note.read_note', { note_ids: [id] }],
        ['note.diff_note', { note_id: id }],
        ['note.list_links', { note_id: id }],
        ['note.list_tasks', { note_id: id }],
        ['note.backlinks', { id }],
        ['note.list_note_comments', { note_id: id }],
        ['note.list_suggestions', { note_id: id }],
        ['note.edit_note', { note_id: id, edits: [{ under: 'none', new: word }], dry_run: true }, 'own'],
      ];
    case 'notebook':
      return [];
    case 'base':
      return [
        ['wiki.get_knowledge_list', { cursor: '', limit: 5, knowledge_base_id: id }],
        ['wiki.list_members', { knowledge_base_id: id }],
        ['wiki.search_knowledge', { query: word, cursor: '', knowledge_base_id: id }],
        ['wiki.list_deleted', { knowledge_base_id: id, cursor: '', limit: 5 }, 'write'],
        ['wiki.get_media_info', { media_id: item }],
        ['wiki.get_knowledge_content', { media_id: item }],
      ];
    case 'sheet':
      return [
        ['manage.query_file_info', { file_id: id }],
        ['sheet.get_sheet_info', { file_id: id }],
        ['sheet.get_cell_data', { file_id: id, sheet_id: sheetId, start_row: 0, start_col: 0, end_row: 1, end_col: 1 }],
        ['sheet.read', { file_id: id }],
        ['sheet.get_history', { file_id: id, cells: 10 }],
        ['sheet.find', { file_id: id, search_term: word }],
        ['manage.export_file', { file_id: id, format: 'csv', sheet_id: sheetId }],
      ];
  }
}

/** Operations of the owner alone. */
function ownersReads({ kind, id }: Thing): [string, object, Role][] {
  return [
    ['sharing.list_shares', { kind, id }, 'own'],
    ['sharing.list_published', { kind, id }, 'own'],
  ];
}

const failing: ReadonlySet<string> = new Set(['note.edit_note']);
/** Answered to the owner of what is in the trash too. */
const ofTrash: ReadonlySet<string> = new Set(['sharing.list_people']);
const ofItem: ReadonlySet<string> = new Set(['wiki.get_media_info', 'wiki.get_knowledge_content']);

/** Compares what a random user gets of a random thing, directly and by a link, with the model. */
export async function look(program: Program): Promise<void> {
  await readThing(program, program.pick(program.active), program.pick(program.model.things), 3);
  if (program.model.links.length === 0) return;
  const link = program.pick(program.model.links);
  await visitThing(program, link, program.chance(0.5) ? link.thing : program.pick(program.model.things));
}

async function readThing(program: Program, user: Key, thing: Thing, count: number): Promise<void> {
  const all = [...readsOf(thing), ...ownersReads(thing)];
  const from = program.fraction();
  for (let n = 0; n < Math.min(count, all.length); n++) {
    const [name, input, need = 'read'] = all[Math.floor(from * all.length + n) % all.length]!;
    const isThere = !thing.isDeleted && !(ofItem.has(name) && thing.isItemDeleted);
    // Shares, links and people of what is in the trash are its owner's to see.
    const isOfOwner = need === 'own' || ofTrash.has(name);
    const may = (isThere || isOfOwner) && program.model.may(user.userId, thing, need);
    const answer = await program.call(name, input, user);
    const message = `${user.userId} ${name} of ${thing.kind} ${nameOf(thing)}: ${answer.code} ${answer.msg}`;
    if (failing.has(name)) expect(answer.code, message).not.toBe(0);
    else if (isThere || !isOfOwner) expect(answer.code === 0, `${message}; ${program.where()}`).toBe(may);
    else if (!may) expect(answer.code, `${message}; ${program.where()}`).not.toBe(0);
    if (answer.code === 0 && name === 'sharing.list_shares') compareShares(program, thing, answer.data.shares);
  }
  if (thing.kind === 'note' && thing.owner !== user.userId) await refusedAsSpecified(program, user, thing);
  if (thing.kind === 'notebook' && thing.owner !== user.userId) await refusedNotebook(program, user, thing);
  if (thing.kind !== 'notebook') await readByAddress(program, user, thing);
}

function compareShares(program: Program, thing: Thing, shares: any[]): void {
  const said = shares
    .filter(({ role }) => role !== 'own')
    .map((one) => `${one.with === 'everyone' ? '*' : (one.user_id ?? one.group_id)} ${one.role}`);
  const expected = program.model.grants
    .filter((grant) => grant.thing === thing)
    .map(({ to, role }) => `${to === 'everyone' ? '*' : 'user' in to ? to.user : to.group} ${role}`);
  expect(said.sort(), program.where()).toEqual(expected.sort());
}

/** The six specified operations know the author's notes only, however a note is shared. */
async function refusedAsSpecified(program: Program, user: Key, { id, owner }: Thing): Promise<void> {
  const isInBase = [210005, 210011];
  const got = await program.call('note.get_doc_content', { note_id: id, target_content_format: 0 }, user);
  expect(isInBase, `get_doc_content of ${owner}'s note: ${got.code}; ${program.where()}`).toContain(got.code);
  const append = { note_id: id, content_format: 1, content: 'more' };
  expect(isInBase, program.where()).toContain((await program.call('note.append_doc', append, user)).code);
}

async function refusedNotebook(program: Program, user: Key, { id }: Thing): Promise<void> {
  for (const [name, input] of [
    ['note.browse_notes', { folder_id: id }],
    ['note.list_note', { folder_id: id, cursor: '', limit: 20 }],
    ['note.import_doc', { folder_id: id, content_format: 1, content: 'into another notebook' }],
    ['note.add_notebook', { name: 'inside', parent_folder_id: id }],
    ['note.delete_notebook', { folder_id: id }],
  ] as const)
    expect((await program.call(name, input, user)).code, `${name}; ${program.where()}`).not.toBe(0);
}

/** Reads by MCP's `fetch` and as a resource. */
async function readByAddress(program: Program, user: Key, thing: Thing): Promise<void> {
  const { kind, id, item } = thing;
  const isThere = !thing.isDeleted && !(kind === 'base' && thing.isItemDeleted);
  const may = isThere && program.model.may(user.userId, thing, 'read');
  const paths = { note: `/notes/${id}`, sheet: `/sheet/${id}`, base: `/wiki/${id}/item/${item}`, notebook: '' };
  const uris = { note: `sheaf://note/${id}`, sheet: '', base: `sheaf://knowledge/${item}`, notebook: '' };
  const ask =
    uris[kind] !== '' && program.chance(0.5)
      ? { method: 'resources/read', params: { uri: uris[kind] } }
      : { method: 'tools/call', params: { name: 'fetch', arguments: { id: paths[kind] } } };
  const text = await overMcp(program, user, ask);
  const message = `${user.userId} ${ask.method} of ${nameOf(thing)}: ${text.slice(0, 200)}; ${program.where()}`;
  expect(text.includes(thing.word), message).toBe(may);
}

export async function overMcp(
  program: Program,
  user: Key,
  { method, params }: { method: string; params: object },
): Promise<string> {
  program.calls += 1;
  const response = await fetch(`${program.pick(program.nodes).url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${user.apiKey}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const text = await response.text();
  program.check(method, params, text, user);
  return text;
}

/** Everybody whose access may have changed reads the thing on every node. */
export async function readEverywhere(program: Program, thing: Thing, only?: string): Promise<void> {
  for (const user of program.active.filter(({ userId }) => only === undefined || userId === only))
    for (const node of program.nodes) {
      const [name, input, need = 'read'] = program.pick(readsOf(thing));
      const isThere = !thing.isDeleted && !(ofItem.has(name) && thing.isItemDeleted);
      const answer = await program.call(name, input, user, node);
      const message = `${user.userId} ${name} of ${thing.kind} ${nameOf(thing)}: ${answer.code} ${answer.msg}`;
      if (failing.has(name)) expect(answer.code, message).not.toBe(0);
      else if (isThere || (need !== 'own' && !ofTrash.has(name)))
        expect(answer.code === 0, `${message}; ${program.where()}`).toBe(
          isThere && program.model.may(user.userId, thing, need),
        );
    }
}

async function visitThing(program: Program, link: Program['model']['links'][number], thing: Thing): Promise<void> {
  const { kind } = link.thing;
  const isOpen = !link.isEnded && !link.thing.isDeleted && !link.thing.isGone;
  const opened = await program.visit(link, 'open', {});
  expect(opened.code === 0, `a link to ${nameOf(link.thing)}; ${program.where()}`).toBe(isOpen);
  if (kind === 'sheet') {
    const cells = { sheet_id: link.thing.sheetId, start_row: 0, start_col: 0, end_row: 2, end_col: 2 };
    const { code, text } = await program.visit(link, 'get_view', cells);
    expect(code === 0 && text.includes(link.thing.word), program.where()).toBe(isOpen);
    return;
  }
  if (kind !== 'note') {
    const inside = thing.kind === 'notebook' || thing.kind === 'base' ? { folder_id: thing.id } : {};
    await program.visit(link, 'list', inside);
  }
  const note = kind === 'note' ? link.thing : thing;
  const inBase = kind === 'base' ? (thing.item ?? itemOf(link.thing, thing)) : undefined;
  const { text } = await program.visit(
    link,
    'read',
    kind === 'base' ? { media_id: inBase ?? thing.id } : { note_id: thing.id },
  );
  if (kind === 'base') await program.visit(link, 'file', { media_id: inBase ?? thing.id });
  if ((note.kind === 'note' || kind === 'base') && program.model.shows(link, note))
    expect(text, program.where()).toContain(note.word);
}

function itemOf(base: Thing, note: Thing): string | undefined {
  return [...base.noteItems].find(([, one]) => one === note)?.[0];
}
