import { expect } from 'vitest';
import type { Answer, Callable, Key } from '@sheaf/tools/testing/call-client.ts';
import { covers, Model, type Kind, type ModelGrant, type Role, type Thing } from './model.ts';

const kinds: readonly Kind[] = ['note', 'notebook', 'base', 'sheet'];
const roles: readonly Exclude<Role, 'own'>[] = ['read', 'comment', 'write'];
const people = 5;

/** Pseudo-random numbers from a seed, so that a program can be run again. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Runs a random program of so many steps on the nodes of one installation, each call on any of them, and compares every
 * answer with the model.
 */
export async function runProgram(nodes: readonly Callable[], owner: Key, seed: number, steps: number): Promise<void> {
  const program = new Program(nodes, owner, seed);
  await program.prepare();
  for (let step = 0; step < steps; step++) {
    await program.act();
    await program.look();
    if (step % 8 === 0) await program.lookAtLists();
  }
  await program.findEverything();
}

class Program {
  readonly #nodes: readonly Callable[];
  readonly #owner: Key;
  readonly #seed: number;
  readonly #random: () => number;
  readonly #model = new Model();
  readonly #users: Key[] = [];
  #log: string[] = [];

  constructor(nodes: readonly Callable[], owner: Key, seed: number) {
    this.#nodes = nodes;
    this.#owner = owner;
    this.#seed = seed;
    this.#random = randomOf(seed);
  }

  #pick<One>(list: readonly One[]): One {
    return list[Math.floor(this.#random() * list.length)]!;
  }

  #chance(probability: number): boolean {
    return this.#random() < probability;
  }

  #call(name: string, input: object, as: Key): Promise<Answer> {
    const [module, operation] = name.split('.') as [string, string];
    return this.#pick(this.#nodes).call('http', module, operation, input, as);
  }

  async #done(name: string, input: object, as: Key): Promise<any> {
    const answer = await this.#call(name, input, as);
    expect([name, answer.code, answer.msg], this.#where()).toEqual([name, 0, 'success']);
    return answer.data;
  }

  #where(): string {
    return `seed ${this.#seed}; the last steps:\n${this.#log.slice(-12).join('\n')}`;
  }

  async prepare(): Promise<void> {
    for (let n = 0; n < people; n++) {
      const { user } = await this.#done('account.create_user', { name: `p${this.#seed}-${n}` }, this.#owner);
      const made = await this.#done('account.create_key', { name: 'k', user_id: user.user_id }, this.#owner);
      this.#users.push({ userId: user.user_id, clientId: made.key.client_id, apiKey: made.api_key });
    }
    for (let n = 0; n < 2; n++) {
      const { group } = await this.#done('account.create_group', { name: `g${this.#seed}-${n}` }, this.#owner);
      this.#model.groups.set(group.group_id, new Set());
    }
    for (const kind of kinds) for (const user of this.#users) await this.#create(kind, user);
  }

  async #create(kind: Kind, user: Key): Promise<void> {
    // Far from every other word, so that search does not take one for a misspelling of another.
    const word = Array.from({ length: 14 }, () => this.#pick([...'bcdfghjklmnpqrtvwxz'])).join('');
    const owner = user.userId;
    const own = this.#model.things.filter((one) => one.owner === owner && one.kind === 'notebook' && !one.isDeleted);
    const parent = own.length > 0 && this.#chance(0.6) ? this.#pick(own) : undefined;
    const thing = { kind, owner, word, isDeleted: false };
    if (kind === 'note') {
      const folder = parent ? { folder_id: parent.id } : {};
      const { note_id: id } = await this.#done(
        'note.import_doc',
        { content_format: 1, content: `# ${word}\n\nbody ${word} #common`, ...folder },
        user,
      );
      this.#model.things.push({ ...thing, id, parent });
    } else if (kind === 'notebook') {
      const { folder } = await this.#done(
        'note.add_notebook',
        { name: word, ...(parent ? { parent_folder_id: parent.id } : {}) },
        user,
      );
      this.#model.things.push({ ...thing, id: folder.folder_id, parent });
    } else if (kind === 'base') {
      const { knowledge_base_id: id } = await this.#done('wiki.create_knowledge_base', { name: word }, user);
      const content = Buffer.from(`text ${word}`).toString('base64');
      const upload = { knowledge_base_id: id, file_name: `${word}.md`, content };
      const { media_id: item } = await this.#done('wiki.upload_knowledge', upload, user);
      this.#model.things.push({ ...thing, id, item });
    } else {
      const { file_id: id } = await this.#done('manage.create_file', { title: word }, user);
      this.#model.things.push({ ...thing, id });
    }
    this.#log.push(`${owner} creates ${kind} ${word}${parent ? ` in ${parent.word}` : ''}`);
  }

  /** One random change, by somebody who may make it or not. */
  async act(): Promise<void> {
    const what = this.#random();
    if (what < 0.06) return this.#create(this.#pick(kinds), this.#pick(this.#users));
    if (what < 0.38) return this.#share();
    if (what < 0.58) return this.#unshare();
    if (what < 0.7) return this.#changeGroup();
    if (what < 0.78) return this.#move();
    if (what < 0.84) return this.#trashOrRestore();
    if (what < 0.9) return this.#edit();
    if (what < 0.95) return this.#publish();
    return this.#unpublish();
  }

  #grantee(): { to: ModelGrant['to']; input: object } {
    const what = this.#random();
    if (what < 0.6) {
      const { userId } = this.#pick(this.#users);
      return { to: { user: userId }, input: { user_id: userId } };
    }
    if (what < 0.85) {
      const group = this.#pick([...this.#model.groups.keys()]);
      return { to: { group }, input: { group_id: group } };
    }
    return { to: 'everyone', input: { everyone: true } };
  }

  async #share(): Promise<void> {
    const thing = this.#pick(this.#model.things);
    const actor = this.#chance(0.8) ? this.#userOf(thing.owner) : this.#pick(this.#users);
    const { to, input } = this.#grantee();
    const role = this.#pick(roles);
    const toOwner = typeof to === 'object' && 'user' in to && to.user === thing.owner;
    const isAllowed = actor.userId === thing.owner && !toOwner && !thing.isDeleted;
    const answer = await this.#call('sharing.share', { kind: thing.kind, id: thing.id, ...input, role }, actor);
    this.#log.push(
      `${actor.userId} shares ${thing.kind} ${thing.word} with ${JSON.stringify(to)} to ${role}: ${answer.code}`,
    );
    expect(answer.code === 0, `${answer.msg}; ${this.#where()}`).toBe(isAllowed);
    if (isAllowed) this.#model.setGrant({ thing, to, role });
  }

  async #unshare(): Promise<void> {
    const grant = this.#model.grants.length > 0 ? this.#pick(this.#model.grants) : undefined;
    if (!grant) return;
    const { thing, to } = grant;
    const actor = this.#chance(0.85) ? this.#userOf(thing.owner) : this.#pick(this.#users);
    const input = to === 'everyone' ? { everyone: true } : 'user' in to ? { user_id: to.user } : { group_id: to.group };
    const answer = await this.#call('sharing.unshare', { kind: thing.kind, id: thing.id, ...input }, actor);
    this.#log.push(`${actor.userId} unshares ${thing.kind} ${thing.word} from ${JSON.stringify(to)}: ${answer.code}`);
    expect(answer.code === 0, `${answer.msg}; ${this.#where()}`).toBe(actor.userId === thing.owner);
    if (answer.code === 0) {
      this.#model.dropGrant(grant);
      for (const user of this.#users) await this.#read(user, thing);
    }
  }

  async #changeGroup(): Promise<void> {
    const [group, members] = this.#pick([...this.#model.groups]);
    const { userId } = this.#pick(this.#users);
    const change = members.has(userId) ? 'remove_group_members' : 'add_group_members';
    const actor = this.#chance(0.8) ? this.#owner : this.#pick(this.#users);
    const answer = await this.#call(`account.${change}`, { group_id: group, user_ids: [userId] }, actor);
    this.#log.push(`${actor.userId} calls ${change} of ${group} with ${userId}: ${answer.code}`);
    expect(answer.code === 0, this.#where()).toBe(actor === this.#owner);
    if (answer.code !== 0) return;
    if (change === 'add_group_members') members.add(userId);
    else members.delete(userId);
  }

  async #move(): Promise<void> {
    const movable = this.#model.things.filter(
      ({ kind, isDeleted }) => !isDeleted && (kind === 'note' || kind === 'notebook'),
    );
    const thing = this.#pick(movable);
    const own = movable.filter((one) => one.kind === 'notebook' && one.owner === thing.owner && !covers(thing, one));
    const target = own.length > 0 && this.#chance(0.8) ? this.#pick(own) : undefined;
    const user = this.#userOf(thing.owner);
    if (thing.kind === 'note')
      await this.#done('note.move_notes', { note_ids: [thing.id], folder_id: target?.id ?? '' }, user);
    else
      await this.#done(
        'note.rename_notebook',
        { folder_id: thing.id, name: thing.word, parent_folder_id: target?.id ?? `user_list_${thing.owner}` },
        user,
      );
    thing.parent = target;
    this.#log.push(`${thing.kind} ${thing.word} moves to ${target?.word ?? 'the top'}`);
  }

  async #trashOrRestore(): Promise<void> {
    const notes = this.#model.things.filter(({ kind }) => kind === 'note' || kind === 'sheet');
    const thing = this.#pick(notes);
    const user = this.#userOf(thing.owner);
    const verb = thing.isDeleted ? 'restore' : 'delete';
    if (thing.kind === 'note') await this.#done(`note.${verb}_note`, { note_id: thing.id }, user);
    else await this.#done(`manage.${verb}_file`, { file_id: thing.id }, user);
    thing.isDeleted = !thing.isDeleted;
    this.#log.push(`${verb} ${thing.kind} ${thing.word}`);
  }

  async #edit(): Promise<void> {
    const thing = this.#pick(this.#model.things.filter(({ kind }) => kind === 'note' || kind === 'sheet'));
    const user = this.#pick(this.#users);
    const may = !thing.isDeleted && this.#model.may(user.userId, thing, 'write');
    const answer =
      thing.kind === 'note'
        ? await this.#call(
            'note.update_note',
            { note_id: thing.id, content: `# ${thing.word}\n\nbody ${thing.word} again #common` },
            user,
          )
        : await this.#call('manage.rename_file', { file_id: thing.id, title: thing.word }, user);
    this.#log.push(`${user.userId} edits ${thing.kind} ${thing.word}: ${answer.code}`);
    expect(answer.code === 0, `${answer.msg}; ${this.#where()}`).toBe(may);
  }

  async #publish(): Promise<void> {
    const thing = this.#pick(this.#model.things.filter((one) => one.kind !== 'sheet' && !one.isDeleted));
    if (this.#model.links.filter((link) => link.thing === thing && !link.isEnded).length >= 10) return;
    const actor = this.#chance(0.8) ? this.#userOf(thing.owner) : this.#pick(this.#users);
    const answer = await this.#call('sharing.publish', { kind: thing.kind, id: thing.id }, actor);
    this.#log.push(`${actor.userId} publishes ${thing.kind} ${thing.word}: ${answer.code}`);
    expect(answer.code === 0, this.#where()).toBe(actor.userId === thing.owner);
    if (answer.code !== 0) return;
    const secret = new URL(answer.data.url as string).hash.split('.').at(-1)!;
    this.#model.links.push({ thing, id: answer.data.link.link_id, secret, isEnded: false });
  }

  async #unpublish(): Promise<void> {
    const open = this.#model.links.filter(({ isEnded }) => !isEnded);
    if (open.length === 0) return;
    const link = this.#pick(open);
    const { kind, id, owner } = link.thing;
    const answer = await this.#call('sharing.unpublish', { kind, id, link_id: link.id }, this.#userOf(owner));
    // The links of a note in the trash still end.
    expect(answer.code, this.#where()).toBe(0);
    link.isEnded = true;
    await this.#visit(link, link.thing);
  }

  #userOf(id: string): Key {
    return this.#users.find(({ userId }) => userId === id)!;
  }

  /** Compares what a random user gets of a random thing with the model. */
  async look(): Promise<void> {
    await this.#read(this.#pick(this.#users), this.#pick(this.#model.things));
    const link = this.#model.links.length > 0 ? this.#pick(this.#model.links) : undefined;
    if (link) await this.#visit(link, this.#chance(0.5) ? link.thing : this.#pick(this.#model.things));
  }

  async #read(user: Key, thing: Thing): Promise<void> {
    const may = !thing.isDeleted && this.#model.may(user.userId, thing, 'read');
    for (const [name, input] of reads(thing)) {
      const answer = await this.#call(name, input, user);
      const message = `${user.userId} ${name} of ${thing.word}: ${answer.code} ${answer.msg}; ${this.#where()}`;
      expect(answer.code === 0, message).toBe(may);
      if (!may) expect(JSON.stringify(answer).includes(thing.word), message).toBe(false);
    }
    if (thing.kind === 'note' && thing.owner !== user.userId) {
      const format = { note_id: thing.id, target_content_format: 0 };
      expect((await this.#call('note.get_doc_content', format, user)).code, this.#where()).toBe(210005);
      const append = { note_id: thing.id, content_format: 1, content: 'more' };
      expect((await this.#call('note.append_doc', append, user)).code, this.#where()).toBe(210005);
    }
  }

  async #visit(link: Model['links'][number], thing: Thing): Promise<void> {
    const module = link.thing.kind === 'base' ? 'wiki' : 'note';
    const input = thing.kind === 'base' ? { media_id: thing.item } : { note_id: thing.id };
    const response = await fetch(`${this.#pick(this.#nodes).url}/public/${module}/v1/read`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-sheaf-link': link.secret },
      body: JSON.stringify(input),
    });
    if (response.status === 429) return void (await response.arrayBuffer());
    const text = await response.text();
    for (const one of this.#model.things)
      if (text.includes(one.word))
        expect(this.#model.shows(link, one), `${one.word} by a link to ${link.thing.word}; ${this.#where()}`).toBe(
          true,
        );
    const isRead =
      link.thing.kind === 'note' || (thing.kind === link.thing.kind ? thing.kind === 'base' : thing.kind === 'note');
    const shown = link.thing.kind === 'note' ? link.thing : thing;
    if (isRead && this.#model.shows(link, shown)) expect(text, this.#where()).toContain(shown.word);
  }

  /** Compares lists and searches of a random user with the model. */
  async lookAtLists(): Promise<void> {
    const user = this.#pick(this.#users);
    const allowed = (thing: Thing): boolean => !thing.isDeleted && this.#model.may(user.userId, thing, 'read');
    const shared = await this.#sharedWith(user);
    const expected = this.#model.things.filter((one) => one.owner !== user.userId && allowed(one));
    expect(new Map([...shared].sort()), this.#where()).toEqual(
      new Map(expected.map((one): [string, string] => [one.id, this.#model.role(user.userId, one)!]).sort()),
    );
    const { data: own } = await this.#call('note.list_note', { cursor: '', limit: 20 }, user);
    for (const note of own.note_book_list)
      expect(this.#model.things.find(({ id }) => id === note.note_id)?.owner, this.#where()).toBe(user.userId);
    const tagged = await this.#done('note.browse_notes', { tag: 'common', limit: 1000 }, user);
    const readable = this.#model.things.filter((one) => one.kind === 'note' && allowed(one));
    expect(tagged.notes.map((note: { note_id: string }) => note.note_id).sort(), this.#where()).toEqual(
      readable.map(({ id }) => id).sort(),
    );
    const { tags } = await this.#done('wiki.list_tags', { kinds: ['note'] }, user);
    expect(tags[0]?.notes ?? 0, this.#where()).toBe(readable.length);
    const thing = this.#pick(this.#model.things);
    const everything = await this.#call('wiki.search_all', { query: thing.word, passages: true }, user);
    const found = JSON.stringify(everything.data);
    for (const one of this.#model.things)
      if (found.includes(one.word))
        expect(this.#model.may(user.userId, one, 'read'), `${one.word} found by ${user.userId}; ${this.#where()}`).toBe(
          true,
        );
    if (!this.#model.may(user.userId, thing, 'read'))
      expect(Object.values(everything.data.totals ?? {}), this.#where()).not.toContain(1);
    const words = { search_type: 0, query_info: { title: thing.word }, start: 0, end: 20 };
    const { data: notes } = await this.#call('note.search_note', words, user);
    if (thing.owner !== user.userId) expect(notes.search_note_infos, this.#where()).toEqual([]);
  }

  async #sharedWith(user: Key): Promise<Map<string, string>> {
    const shared = new Map<string, string>();
    for (let cursor = ''; ;) {
      const data = await this.#done('sharing.list_shared_with_me', { cursor, limit: 100 }, user);
      for (const one of data.shared) shared.set(one.id, one.role);
      if (data.is_end) return shared;
      cursor = data.next_cursor;
    }
  }

  /** In the end the index has caught up: everybody finds every note that they may read. */
  async findEverything(): Promise<void> {
    const notes = this.#model.things.filter(({ kind, isDeleted }) => kind === 'note' && !isDeleted).slice(-20);
    for (const note of notes)
      for (const user of this.#users) {
        const may = this.#model.may(user.userId, note, 'read');
        await expect
          .poll(
            async () => {
              const { data } = await this.#call('wiki.search_all', { query: note.word, kinds: ['note'] }, user);
              return data.info_list.some((one: { id: string }) => one.id === note.id);
            },
            { timeout: 20_000, message: `${user.userId} searches ${note.word}; ${this.#where()}` },
          )
          .toBe(may);
      }
  }
}

/** Operations that read a thing, and answer 0 only to those who may. */
function reads({ kind, id, item }: Thing): [string, object][] {
  switch (kind) {
    case 'note':
      return [
        ['note.export_note', { note_id: id }],
        ['note.get_note_history', { note_id: id }],
      ];
    case 'notebook':
      return [];
    case 'base':
      return [
        ['wiki.get_knowledge_list', { cursor: '', limit: 5, knowledge_base_id: id }],
        ['wiki.get_media_info', { media_id: item }],
      ];
    case 'sheet':
      return [['manage.query_file_info', { file_id: id }]];
  }
}
