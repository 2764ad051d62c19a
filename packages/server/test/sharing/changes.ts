import { expect } from 'vitest';
import { converse, enterRoom, follow, remember, suggest } from './conversations.ts';
import { addGroup, addUser, cells, create, newText } from './create.ts';
import { covers, kinds, type ModelGrant, type Role, type Thing } from './model.ts';
import { nameOf, type Program } from './program.ts';
import { readEverywhere } from './reads.ts';
import type { Watchers } from './watchers.ts';

const roles: readonly Exclude<Role, 'own'>[] = ['read', 'comment', 'write'];

/** Probabilities of the changes, added up. */
const changes: readonly [number, (program: Program, watchers: Watchers) => Promise<void>][] = [
  [0.07, (program) => create(program, program.pick(kinds), program.pick(program.active))],
  [0.31, share],
  [0.32, shareWithAll],
  [0.46, unshare],
  [0.55, changeGroup],
  [0.63, move],
  [0.69, trashOrRestore],
  [0.75, edit],
  [0.79, rename],
  [0.815, publish],
  [0.835, unpublish],
  [0.855, addNoteToBase],
  [0.885, converse],
  [0.905, suggest],
  [0.92, follow],
  [0.93, remember],
  [0.94, enterRoom],
  [0.96, deleteOrRestoreItem],
  [0.97, deleteNotebook],
  [0.98, replaceGroup],
  [0.987, suspend],
  [0.993, replaceUser],
  [1, deleteBase],
];

/** Makes one random change, by somebody who may make it or not. */
export function change(program: Program, watchers: Watchers): Promise<void> {
  const what = program.fraction();
  return changes.find(([limit]) => what < limit)![1](program, watchers);
}

function existing(program: Program, test: (thing: Thing) => boolean): Thing | undefined {
  const found = program.model.things.filter((one) => !one.isGone && program.isActive(one.owner) && test(one));
  return found.length > 0 ? program.pick(found) : undefined;
}

function someGrantee(program: Program): { to: ModelGrant['to']; input: object } {
  const what = program.fraction();
  if (what < 0.6) {
    const { userId } = program.pick(program.active);
    return { to: { user: userId }, input: { user_id: userId } };
  }
  if (what < 0.85) {
    const group = program.pick([...program.model.groups.keys()]);
    return { to: { group }, input: { group_id: group } };
  }
  return { to: 'everyone', input: { everyone: true } };
}

/** Returns the owner mostly, and sometimes anybody. */
function ownerOrAny(program: Program, thing: Thing): Program['owner'] {
  return program.chance(0.8) ? program.userOf(thing.owner) : program.pick(program.active);
}

async function share(program: Program, watchers: Watchers): Promise<void> {
  const thing = existing(program, () => true)!;
  const actor = ownerOrAny(program, thing);
  const { to, input } = someGrantee(program);
  const role = program.pick(roles);
  const toOwner = typeof to === 'object' && 'user' in to && to.user === thing.owner;
  const isAllowed = actor.userId === thing.owner && !toOwner && !thing.isDeleted;
  // The older operations give the same access.
  const older = isAllowed && role !== 'comment' && typeof to === 'object' && 'user' in to && program.chance(0.3);
  const named = { read: 'viewer', comment: '', write: 'editor' }[role];
  const answer =
    older && thing.kind === 'sheet'
      ? await program.call('manage.share_file', { file_id: thing.id, ...input, role: named }, actor)
      : older && thing.kind === 'base'
        ? await program.call('wiki.set_member', { knowledge_base_id: thing.id, ...input, role: named }, actor)
        : await program.call('sharing.share', { kind: thing.kind, id: thing.id, ...input, role }, actor);
  program.say(
    `${actor.userId} shares ${thing.kind} ${nameOf(thing)} with ${JSON.stringify(to)} to ${role}: ${answer.code}`,
  );
  expect(answer.code === 0, `${answer.msg}; ${program.where()}`).toBe(isAllowed);
  if (!isAllowed) return;
  program.model.setGrant({ thing, to, role });
  if (older && thing.kind === 'base') watchers.wrote(thing);
}

/** An older operation gives a spreadsheet to all users there are, or lowers what they may do. */
async function shareWithAll(program: Program): Promise<void> {
  const thing = existing(program, ({ kind, isDeleted }) => kind === 'sheet' && !isDeleted);
  if (!thing) return;
  const actor = ownerOrAny(program, thing);
  const policy = program.pick([2, 3]);
  const answer = await program.call('manage.set_privilege', { file_id: thing.id, policy }, actor);
  program.say(`${actor.userId} gives ${nameOf(thing)} to all by policy ${policy}: ${answer.code}`);
  expect(answer.code === 0, `${answer.msg}; ${program.where()}`).toBe(actor.userId === thing.owner);
  if (answer.code !== 0) return;
  const role = policy === 2 ? 'read' : 'write';
  for (const { userId } of [...program.active, program.owner])
    if (userId !== thing.owner) program.model.setGrant({ thing, to: { user: userId }, role });
  await readEverywhere(program, thing);
}

async function unshare(program: Program, watchers: Watchers): Promise<void> {
  const open = program.model.grants.filter(({ thing }) => program.isActive(thing.owner));
  if (open.length === 0) return;
  const grant = program.pick(open);
  const { thing, to } = grant;
  const actor = program.chance(0.85) ? program.userOf(thing.owner) : program.pick(program.active);
  const input = to === 'everyone' ? { everyone: true } : 'user' in to ? { user_id: to.user } : { group_id: to.group };
  const isOwner = actor.userId === thing.owner;
  await watchers.losing(async () => {
    const answer = await program.call('sharing.unshare', { kind: thing.kind, id: thing.id, ...input }, actor);
    program.say(`${actor.userId} unshares ${thing.kind} ${nameOf(thing)} from ${JSON.stringify(to)}: ${answer.code}`);
    expect(answer.code === 0, `${answer.msg}; ${program.where()}`).toBe(isOwner);
    if (isOwner) program.model.dropGrant(grant);
  });
  if (isOwner) await readEverywhere(program, thing, typeof to === 'object' && 'user' in to ? to.user : undefined);
}

async function changeGroup(program: Program, watchers: Watchers): Promise<void> {
  const [group, members] = program.pick([...program.model.groups]);
  const { userId } = program.pick(program.active);
  const name = members.has(userId) ? 'remove_group_members' : 'add_group_members';
  const actor = program.chance(0.8) ? program.owner : program.pick(program.active);
  await watchers.losing(async () => {
    const answer = await program.call(`account.${name}`, { group_id: group, user_ids: [userId] }, actor);
    program.say(`${actor.userId} calls ${name} of ${group} with ${userId}: ${answer.code}`);
    expect(answer.code === 0, program.where()).toBe(actor === program.owner);
    if (answer.code !== 0) return;
    if (members.has(userId)) members.delete(userId);
    else members.add(userId);
  });
  const ofGroup = program.model.grants.filter(({ to }) => to !== 'everyone' && 'group' in to && to.group === group);
  if (ofGroup.length > 0) await readEverywhere(program, program.pick(ofGroup).thing, userId);
}

async function move(program: Program, watchers: Watchers): Promise<void> {
  const thing = existing(program, (one) => !one.isDeleted && (one.kind === 'note' || one.kind === 'notebook'));
  if (!thing) return;
  const target = program.chance(0.8)
    ? existing(program, (one) => one.kind === 'notebook' && one.owner === thing.owner && !covers(thing, one))
    : undefined;
  const user = program.userOf(thing.owner);
  await watchers.losing(async () => {
    if (thing.kind === 'note')
      await program.done('note.move_notes', { note_ids: [thing.id], folder_id: target?.id ?? '' }, user);
    else
      await program.done(
        'note.rename_notebook',
        {
          folder_id: thing.id,
          name: nameOf(thing),
          parent_folder_id: target?.id ?? `user_list_${thing.owner}`,
        },
        user,
      );
    if (thing.kind === 'note') watchers.wrote(thing);
    thing.parent = target;
  });
  program.say(`${thing.kind} ${nameOf(thing)} moves to ${target ? nameOf(target) : 'the top'}`);
  await readEverywhere(program, thing);
}

async function trashOrRestore(program: Program, watchers: Watchers): Promise<void> {
  const thing = existing(program, ({ kind }) => kind === 'note' || kind === 'sheet');
  if (!thing) return;
  const user = program.userOf(thing.owner);
  const verb = thing.isDeleted ? 'restore' : 'delete';
  await watchers.losing(async () => {
    if (thing.kind === 'note') await program.done(`note.${verb}_note`, { note_id: thing.id }, user);
    else await program.done(`manage.${verb}_file`, { file_id: thing.id }, user);
    // Those who may read the note before it is deleted, or after it is restored, hear of it.
    if (!thing.isDeleted) watchers.wrote(thing);
    thing.isDeleted = !thing.isDeleted;
    if (!thing.isDeleted) watchers.wrote(thing);
  });
  program.say(`${verb} ${thing.kind} ${nameOf(thing)}`);
  await readEverywhere(program, thing);
}

async function edit(program: Program, watchers: Watchers): Promise<void> {
  const thing = existing(program, ({ kind }) => kind === 'note' || kind === 'sheet' || kind === 'base');
  if (!thing) return;
  const user = program.pick(program.active);
  const isAllowed = (need: Role): boolean => !thing.isDeleted && program.model.may(user.userId, thing, need);
  const tell = (code: number, what: string, may: boolean, msg: string): void => {
    program.say(`${user.userId} ${what} ${thing.kind} ${nameOf(thing)}: ${code}`);
    expect(code === 0, `${msg}; ${program.where()}`).toBe(may);
  };
  if (thing.kind === 'note' && program.chance(0.5)) {
    const may = isAllowed('write');
    const { content, mention } = newText(program, user, nameOf(thing), thing.word);
    const answer = await program.call('note.update_note', { note_id: thing.id, content }, user);
    tell(answer.code, 'replaces', may, answer.msg);
    if (!may) return;
    mention(thing);
    watchers.wrote(thing);
  } else if (thing.kind === 'note') {
    const may = isAllowed('write');
    const edits = [{ old: `body ${thing.word}`, new: `body ${thing.word}` }];
    const answer = await program.call('note.edit_note', { note_id: thing.id, edits, dry_run: !may }, user);
    tell(answer.code, 'edits', may, answer.msg);
    const tagged = await program.call('note.tag_note', { note_id: thing.id, add: ['second'] }, user);
    tell(tagged.code, 'tags', may, tagged.msg);
    if (may) {
      watchers.wrote(thing);
      watchers.wrote(thing);
    }
  } else if (thing.kind === 'sheet' && program.chance(0.5)) {
    const may = isAllowed('comment');
    const comment = { file_id: thing.id, sheet_id: thing.sheetId, row: 0, col: 0, text: `why ${thing.word}?` };
    const answer = await program.call('sheet.set_comment', comment, user);
    tell(answer.code, 'comments on', may, answer.msg);
    if (may) watchers.wrote(thing);
  } else if (thing.kind === 'sheet') {
    const may = isAllowed('write');
    const answer = await program.call('sheet.enter_cells', cells(thing.id, thing.sheetId!, thing.word), user);
    tell(answer.code, 'edits', may, answer.msg);
    if (may) watchers.wrote(thing);
  } else if (!thing.isItemDeleted) {
    const may = isAllowed('write');
    const answer = await program.call('wiki.add_tag', { media_id: thing.item, tags: ['second'] }, user);
    tell(answer.code, 'tags the item of', may, answer.msg);
    if (may) watchers.wrote(thing);
  }
}

async function rename(program: Program, watchers: Watchers): Promise<void> {
  const thing = existing(program, ({ kind, isDeleted }) => kind !== 'notebook' && !isDeleted);
  if (!thing) return;
  const user = program.pick(program.active);
  const may = program.model.may(user.userId, thing, thing.kind === 'base' ? 'own' : 'write');
  const title = program.newWord();
  if (may) thing.names.push(title);
  const answer =
    thing.kind === 'note'
      ? await program.call('note.rename_note', { note_id: thing.id, title }, user)
      : thing.kind === 'sheet'
        ? await program.call('manage.rename_file', { file_id: thing.id, title }, user)
        : await program.call('wiki.update_knowledge_base', { knowledge_base_id: thing.id, name: title }, user);
  program.say(`${user.userId} renames ${thing.kind} ${thing.names[0]} to ${title}: ${answer.code}`);
  expect(answer.code === 0, `${answer.msg}; ${program.where()}`).toBe(may);
  // What links to it is written too.
  if (may && thing.kind === 'note') for (const note of [thing, ...thing.mentionedBy]) watchers.wrote(note);
  if (may && thing.kind === 'base') watchers.wrote(thing);
}

async function publish(program: Program): Promise<void> {
  const thing = existing(program, ({ isDeleted }) => !isDeleted)!;
  if (program.model.links.filter((link) => link.thing === thing && !link.isEnded).length >= 10) return;
  const actor = ownerOrAny(program, thing);
  const answer = await program.call('sharing.publish', { kind: thing.kind, id: thing.id }, actor);
  program.say(`${actor.userId} publishes ${thing.kind} ${nameOf(thing)}: ${answer.code}`);
  expect(answer.code === 0, program.where()).toBe(actor.userId === thing.owner);
  if (answer.code !== 0) return;
  const secret = new URL(answer.data.url as string).hash.split(/[#.]/).at(-1)!;
  program.model.links.push({ thing, id: answer.data.link.link_id, secret, isEnded: false });
}

async function unpublish(program: Program): Promise<void> {
  const open = program.model.links.filter(({ isEnded, thing }) => !isEnded && program.isActive(thing.owner));
  // A spreadsheet in the trash has no operations but its restoring.
  const endable = open.filter(({ thing }) => thing.kind !== 'sheet' || !thing.isDeleted);
  if (endable.length === 0) return;
  const link = program.pick(endable);
  const { kind, id, owner } = link.thing;
  const answer = await program.call('sharing.unpublish', { kind, id, link_id: link.id }, program.userOf(owner));
  expect(answer.code, `${answer.msg}; ${program.where()}`).toBe(0);
  program.say(`a link to ${kind} ${nameOf(link.thing)} ends`);
  link.isEnded = true;
  expect((await program.visit(link, 'open', {})).code, program.where()).not.toBe(0);
}

/** Adds a note to a base, whose members then read the note there and nowhere else. */
async function addNoteToBase(program: Program, watchers: Watchers): Promise<void> {
  const base = existing(program, ({ kind }) => kind === 'base');
  const note = existing(program, ({ kind, isDeleted }) => kind === 'note' && !isDeleted);
  if (!base || !note) return;
  const actor = ownerOrAny(program, note);
  const may = actor.userId === note.owner && program.model.may(actor.userId, base, 'write');
  const item = {
    media_type: 11,
    title: nameOf(note),
    knowledge_base_id: base.id,
    note_info: { content_id: note.id },
  };
  if (!may) item.title = 'unknown';
  const answer = await program.call('wiki.add_knowledge', item, actor);
  program.say(`${actor.userId} adds ${nameOf(note)} to base ${nameOf(base)}: ${answer.code}`);
  expect(answer.code === 0, `${answer.msg}; ${program.where()}`).toBe(may);
  if (!may) return;
  base.noteItems.set(answer.data.media_id as string, note);
  watchers.wrote(base);
}

async function deleteOrRestoreItem(program: Program, watchers: Watchers): Promise<void> {
  const base = existing(program, ({ kind }) => kind === 'base');
  if (!base) return;
  const user = program.pick(program.active);
  const may = program.model.may(user.userId, base, 'write');
  const name = base.isItemDeleted ? 'wiki.restore_knowledge' : 'wiki.delete_knowledge';
  const answer = await program.call(name, { knowledge_base_id: base.id, media_ids: [base.item] }, user);
  program.say(`${user.userId} calls ${name} in ${nameOf(base)}: ${answer.code}`);
  expect(answer.code === 0, `${answer.msg}; ${program.where()}`).toBe(may);
  if (!may) return;
  base.isItemDeleted = !base.isItemDeleted;
  watchers.wrote(base);
}

async function deleteNotebook(program: Program, watchers: Watchers): Promise<void> {
  const notebook = existing(program, ({ kind }) => kind === 'notebook');
  if (!notebook) return;
  const notes = program.pick(['keep', 'delete'] as const);
  await watchers.losing(async () => {
    await program.done('note.delete_notebook', { folder_id: notebook.id, notes }, program.userOf(notebook.owner));
    for (const thing of program.model.things.filter((one) => covers(notebook, one))) {
      if (thing.kind === 'notebook') program.model.drop(thing);
      else if (notes === 'delete') thing.isDeleted = true;
    }
    for (const thing of program.model.things) if (thing.parent?.isGone) thing.parent = undefined;
  });
  program.say(`notebook ${nameOf(notebook)} is deleted, its notes: ${notes}`);
}

async function replaceGroup(program: Program, watchers: Watchers): Promise<void> {
  const group = program.pick([...program.model.groups.keys()]);
  await watchers.losing(async () => {
    await program.done('account.delete_group', { group_id: group }, program.owner);
    program.model.dropGroup(group);
  });
  program.say(`group ${group} is deleted`);
  await addGroup(program);
}

/** A suspended user gets nothing, and the links that the user made show nothing, until the user is resumed. */
async function suspend(program: Program): Promise<void> {
  const user = program.pick(program.active);
  const { userId } = user;
  await program.done('account.suspend_user', { user_id: userId }, program.owner);
  for (const node of program.nodes)
    expect(
      (await program.callOver('http', 'note.list_note', { cursor: '', limit: 1 }, user, node)).code,
      program.where(),
    ).not.toBe(0);
  const link = program.model.links.find(({ thing, isEnded }) => thing.owner === userId && !isEnded);
  if (link) expect((await program.visit(link, 'open', {})).code, program.where()).not.toBe(0);
  await program.done('account.resume_user', { user_id: userId }, program.owner);
}

/** Closes a user's account, and makes a new one. What the user wrote stays with those it is shared with. */
async function replaceUser(program: Program, watchers: Watchers): Promise<void> {
  const user = program.pick(program.active);
  await watchers.losing(async () => {
    await program.done('account.delete_user', { user_id: user.userId }, program.owner);
    program.model.closeUser(user.userId);
  });
  program.say(`the account of ${user.userId} is closed`);
  for (const thing of program.model.things.filter((one) => one.owner === user.userId && !one.isGone).slice(0, 3))
    await readEverywhere(program, thing);
  await addUser(program);
}

async function deleteBase(program: Program, watchers: Watchers): Promise<void> {
  const base = existing(program, ({ kind }) => kind === 'base');
  if (!base) return;
  await watchers.losing(async () => {
    await program.done('wiki.delete_knowledge_base', { knowledge_base_id: base.id }, program.userOf(base.owner));
    watchers.wrote(base);
    program.model.drop(base);
  });
  program.say(`base ${nameOf(base)} is deleted`);
  await readEverywhere(program, base);
}
