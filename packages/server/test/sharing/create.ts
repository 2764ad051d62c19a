import type { Key } from '@sheaf/tools/testing/call-client.ts';
import { kinds, type Kind, type Thing } from './model.ts';
import { nameOf, people, type Program } from './program.ts';

/** Tag that everything has, so that lists of tags count everything. */
export const commonTag = 'common';

export async function prepare(program: Program): Promise<void> {
  for (let n = 0; n < people; n++) await addUser(program);
  for (let n = 0; n < 2; n++) await addGroup(program);
  for (const kind of kinds) for (const user of program.users) await create(program, kind, user);
}

export async function addUser(program: Program): Promise<void> {
  const name = `p${program.seed}-${program.newWord()}`;
  const { user } = await program.done('account.create_user', { name }, program.owner);
  program.userNames.set(user.user_id, name);
  const made = await program.done('account.create_key', { name: 'k', user_id: user.user_id }, program.owner);
  program.users.push({ userId: user.user_id, clientId: made.key.client_id, apiKey: made.api_key });
}

export async function addGroup(program: Program): Promise<void> {
  const { group } = await program.done('account.create_group', { name: `g${program.newWord()}` }, program.owner);
  program.model.groups.set(group.group_id, new Set());
}

export async function create(program: Program, kind: Kind, user: Key): Promise<void> {
  const [name, word] = [program.newWord(), program.newWord()];
  const owner = user.userId;
  const own = program.model.things.filter((one) => one.owner === owner && one.kind === 'notebook' && !one.isGone);
  const parent = own.length > 0 && program.chance(0.6) ? program.pick(own) : undefined;
  const thing = {
    kind,
    owner,
    word,
    names: [name],
    isDeleted: false,
    isGone: false,
    isItemDeleted: false,
    mentionedBy: new Set<Thing>(),
    noteItems: new Map<string, Thing>(),
    comments: [],
    suggestions: [],
    followers: new Set<string>(),
  };
  const add = (made: Pick<Thing, 'id'> & Partial<Thing>): void => void program.model.things.push({ ...thing, ...made });
  if (kind === 'note') {
    const { content, mention } = newText(program, user, name, word);
    const folder = parent ? { folder_id: parent.id } : {};
    const { note_id: id } = await program.done('note.import_doc', { content_format: 1, content, ...folder }, user);
    add({ id, parent });
    mention(program.model.things.at(-1)!);
  } else if (kind === 'notebook') {
    const inside = parent ? { parent_folder_id: parent.id } : {};
    const { folder } = await program.done('note.add_notebook', { name, ...inside }, user);
    add({ id: folder.folder_id, parent });
  } else if (kind === 'base') {
    const { knowledge_base_id: id } = await program.done('wiki.create_knowledge_base', { name }, user);
    const content = Buffer.from(`text ${word}`).toString('base64');
    const upload = { knowledge_base_id: id, file_name: `${program.newWord()}.md`, content };
    const { media_id: item } = await program.done('wiki.upload_knowledge', upload, user);
    await program.done('wiki.add_tag', { media_id: item, tags: [commonTag] }, user);
    // Until it is read, the item's text is refused to those who may see it too.
    await untilRead(program, item, user);
    add({ id, item });
  } else {
    const { file_id: id, sheet_id: sheetId } = await program.done('manage.create_file', { title: name }, user);
    await program.done('sheet.enter_cells', cells(id, sheetId, word), user);
    await program.done('manage.tag_file', { file_id: id, add: [commonTag] }, user);
    add({ id, sheetId });
  }
  program.say(`${owner} creates ${kind} ${name}${parent ? ` in ${nameOf(parent)}` : ''}`);
}

/** Waits until the text of an item is read. */
export async function untilRead(program: Program, item: string, user: Key): Promise<void> {
  const input = { media_ids: [item], wait_seconds: 20 };
  while (!(await program.done('wiki.get_knowledge_state', input, user)).is_done);
}

export function cells(file_id: string, sheet_id: string, word: string): object {
  return { file_id, sheet_id, start_row: 0, start_col: 0, rows: [[word, '=A1&"!"']] };
}

/**
 * Returns a text for a note with its word, a task, the tag and links to other things by title or address; and a function
 * that records the links.
 */
export function newText(
  program: Program,
  author: Key,
  name: string,
  word: string,
): { content: string; mention: (note: Thing) => void } {
  const readable = program.model.readable(author.userId);
  const titled = readable.filter((one) => one.kind !== 'notebook' && one.kind !== 'base');
  const mentioned = titled.length > 0 && program.chance(0.5) ? program.pick(titled) : undefined;
  const addressed = titled.length > 0 && program.chance(0.4) ? program.pick(titled) : undefined;
  const address = addressed && `/${addressed.kind === 'sheet' ? 'sheet' : 'notes'}/${addressed.id}`;
  const lines = [
    `# ${name}`,
    `body ${word} #${commonTag}`,
    `- [ ] task of ${word}`,
    ...(mentioned ? [`See [[${nameOf(mentioned)}]] about ${word}.`] : []),
    ...(address ? [`And [this](${address}).`] : []),
  ];
  return {
    content: lines.join('\n\n'),
    mention(note) {
      mentioned?.mentionedBy.add(note);
      if (addressed) program.writtenIds.add(addressed.id);
    },
  };
}
