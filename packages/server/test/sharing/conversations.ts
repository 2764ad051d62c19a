import { expect } from 'vitest';
import type { Key } from '@sheaf/tools/testing/call-client.ts';
import type { Role, Thing } from './model.ts';
import { nameOf, type Program } from './program.ts';
import { overMcp } from './reads.ts';
import type { Watchers } from './watchers.ts';

/** Refusal of a suggestion whose text was changed since. */
const conflict = 210008;

function someNote(program: Program, test: (note: Thing) => boolean = () => true): Thing | undefined {
  const found = program.model.things.filter(
    (one) => one.kind === 'note' && !one.isGone && program.isActive(one.owner) && test(one),
  );
  return found.length > 0 ? program.pick(found) : undefined;
}

function isAllowed(program: Program, { userId }: Key, thing: Thing, need: Role): boolean {
  return !thing.isDeleted && program.model.may(userId, thing, need);
}

function tell(program: Program, line: string, { code, msg }: { code: number; msg: string }, may: boolean): void {
  program.say(`${line}: ${code}`);
  expect(code === 0, `${line}: ${msg}; ${program.where()}`).toBe(may);
}

/** Comments on a note, mentions somebody, answers, or deletes an entry. */
export async function converse(program: Program, watchers: Watchers): Promise<void> {
  const note = someNote(program);
  if (!note) return;
  const user = program.pick(program.active);
  const said = note.comments.length > 0 && program.chance(0.5) ? program.pick(note.comments) : undefined;
  if (said && program.chance(0.4)) return deleteEntry(program, watchers, note, user, said);
  const may = isAllowed(program, user, note, 'comment');
  const mentioned = program.pick(program.active).userId;
  const text = `why ${note.word}? @${program.userNames.get(mentioned)}`;
  const place = said ? { comment_id: said.id } : program.chance(0.5) ? { quote: `body ${note.word}` } : {};
  const answer = await program.call('note.comment_note', { note_id: note.id, text, ...place }, user);
  tell(program, `${user.userId} comments on ${nameOf(note)} and mentions ${mentioned}`, answer, may);
  if (!may) return;
  const isReached = program.model.may(mentioned, note, 'read');
  const reached = (answer.data.mentioned as { user_id: string }[]).map((one) => one.user_id);
  expect(reached, program.where()).toEqual(isReached ? [mentioned] : []);
  note.comments.push({ id: answer.data.comment_id, entry: answer.data.entry_id, author: user.userId });
  watchers.wrote(note);
}

async function deleteEntry(
  program: Program,
  watchers: Watchers,
  note: Thing,
  user: Key,
  said: Thing['comments'][number],
): Promise<void> {
  const may = isAllowed(program, user, note, 'comment') && (said.author === user.userId || note.owner === user.userId);
  const entry = { note_id: note.id, comment_id: said.id, entry_id: said.entry };
  const answer = await program.call('note.delete_note_comment', entry, user);
  tell(program, `${user.userId} deletes a comment of ${said.author} on ${nameOf(note)}`, answer, may);
  if (!may) return;
  note.comments.splice(note.comments.indexOf(said), 1);
  watchers.wrote(note);
}

/** Suggests a change of a note, or decides about one. */
export async function suggest(program: Program, watchers: Watchers): Promise<void> {
  const open = program.chance(0.6) ? someNote(program, ({ suggestions }) => suggestions.length > 0) : undefined;
  const user = program.pick(program.active);
  if (open) return decide(program, watchers, open, user);
  const note = someNote(program, ({ suggestions }) => suggestions.length < 50);
  if (!note) return;
  const may = isAllowed(program, user, note, 'write');
  const edits = [{ old: `task of ${note.word}`, new: `task of ${note.word} soon` }];
  const answer = await program.call('note.edit_note', { note_id: note.id, edits, suggest: true }, user);
  tell(program, `${user.userId} suggests a change of ${nameOf(note)}`, answer, may);
  if (may) note.suggestions.push(answer.data.suggestion_id);
}

async function decide(program: Program, watchers: Watchers, note: Thing, user: Key): Promise<void> {
  const id = program.pick(note.suggestions);
  const may = isAllowed(program, user, note, 'write');
  const about = { note_id: note.id, suggestion_id: id };
  const accept = program.chance(0.5);
  let answer = await program.call('note.decide_suggestion', { ...about, accept }, user);
  // What was changed since can only be refused.
  if (may && accept && answer.code === conflict)
    answer = await program.call('note.decide_suggestion', { ...about, accept: false }, user);
  tell(program, `${user.userId} decides about a suggestion for ${nameOf(note)}`, answer, may);
  if (!may) return;
  note.suggestions.splice(note.suggestions.indexOf(id), 1);
  watchers.wrote(note);
}

/** Follows something or no more. Whoever may not see a thing can neither follow it nor learn that it is there. */
export async function follow(program: Program): Promise<void> {
  const thing = program.pick(program.model.things);
  const user = program.pick(program.active);
  const ref = { kind: thing.kind, id: thing.id };
  if (program.chance(0.3)) {
    await program.done('inbox.unfollow', ref, user);
    thing.followers.delete(user.userId);
    return;
  }
  const answer = await program.call('inbox.follow', ref, user);
  // The owner may follow what is in the trash.
  const may = program.model.may(user.userId, thing, 'read');
  if (thing.isDeleted && may) expect([0, answer.code], program.where()).toContain(answer.code);
  else tell(program, `${user.userId} follows ${thing.kind} ${nameOf(thing)}`, answer, may);
  if (answer.code === 0) thing.followers.add(user.userId);
}

/** What an agent notes is for its user alone; no answer to anybody else may hold it, which every check looks for. */
export async function remember(program: Program): Promise<void> {
  const user = program.pick(program.active);
  const own = program.model.memories.filter(({ userId }) => userId === user.userId);
  if (own.length > 0 && program.chance(0.3)) {
    const one = program.pick(own);
    const { erased } = await program.done('note.forget', { memory_ids: [one.id] }, user);
    expect(erased, program.where()).toBe(1);
    program.model.memories.splice(program.model.memories.indexOf(one), 1);
    return;
  }
  const word = program.newWord();
  const input = { text: `remember ${word}`, about: program.chance(0.5) ? word : 'work' };
  const { memory_id: id } = await program.done('note.remember', input, user);
  program.model.memories.push({ id, userId: user.userId, word });
}

/** Somebody opens a note to write in it with others, and leaves. */
export async function enterRoom(program: Program, watchers: Watchers): Promise<void> {
  const note = someNote(program);
  if (!note) return;
  const user = program.pick(program.active);
  const may = isAllowed(program, user, note, 'write');
  const client = 1 + Math.floor(program.fraction() * 1_000_000);
  const [node, input] = [program.pick(program.nodes), { note_id: note.id, client }];
  const answer = await program.callOver('http', 'note.sync_note', input, user, node);
  tell(program, `${user.userId} opens ${nameOf(note)} to write`, answer, may);
  if (!may) return;
  // The text is inside the update, as bytes.
  const text = Buffer.from(answer.data.update as string, 'base64').toString('latin1');
  program.check('the text of sync_note', input, text, user);
  expect(text, program.where()).toContain(note.word);
  const leaving = { ...input, room_id: answer.data.room_id, leave: true };
  await program.callOver('http', 'note.sync_note', leaving, user, node);
  watchers.wrote(note);
}

/** Lists of what others said, of what is followed and of what changed. */
export async function inboxes(program: Program, user: Key): Promise<void> {
  const { model } = program;
  const { followed } = await program.done('inbox.list_followed', {}, user);
  const found = new Set((followed as { id: string }[]).map(({ id }) => id));
  for (const thing of model.things) {
    const may = model.may(user.userId, thing, 'read');
    if (found.has(thing.id)) expect(may, `${nameOf(thing)}; ${program.where()}`).toBe(true);
    else if (thing.followers.has(user.userId) && !thing.isDeleted)
      expect(may, `${nameOf(thing)}; ${program.where()}`).toBe(false);
  }
  const { lines } = await program.done('inbox.list_inbox', { limit: 100 }, user);
  for (const line of lines as { id?: string; type: string }[]) {
    const thing = model.things.find(({ id }) => id === line.id);
    if (thing)
      expect(model.may(user.userId, thing, 'read'), `${line.type} of ${nameOf(thing)}; ${program.where()}`).toBe(true);
  }
  if (program.chance(0.2)) await program.done('inbox.mark_inbox_read', { all: true }, user);
}

export async function changesOfOthers(program: Program, user: Key): Promise<void> {
  const { model } = program;
  let cursor: string | undefined;
  for (let isEnd = false; !isEnd;) {
    const input = { limit: 200, ...(cursor !== undefined && { cursor }) };
    const { changes, next_cursor: next, is_end: end } = await program.done('account.list_changes', input, user);
    for (const change of changes as { id: string; operation: string }[]) {
      const thing = model.things.find(({ id, item }) => id === change.id || item === change.id);
      if (thing)
        expect(
          model.may(user.userId, thing, 'read'),
          `${change.operation} of ${thing.kind} ${nameOf(thing)}; ${program.where()}`,
        ).toBe(true);
    }
    [cursor, isEnd] = [next, end];
  }
  await overMcp(program, user, { method: 'resources/read', params: { uri: 'sheaf://changes' } });
  await overMcp(program, user, { method: 'prompts/list', params: {} });
  await overMcp(program, user, { method: 'skills/list', params: {} });
}

export async function memoriesOf(program: Program, user: Key): Promise<void> {
  const own = program.model.memories.filter(({ userId }) => userId === user.userId);
  const listed = await program.done('note.list_memories', { limit: 200 }, user);
  expect(listed.memories.map((one: any) => one.memory_id).sort(), program.where()).toEqual(
    own
      .map(({ id }) => id)
      .sort()
      .slice(0, 200),
  );
  if (program.model.memories.length === 0) return;
  const { id, word, userId } = program.pick(program.model.memories);
  const { memories } = await program.done('note.recall', { question: word }, user);
  const isFound = memories.some((one: any) => one.memory_id === id);
  expect(isFound, program.where()).toBe(userId === user.userId);
}
