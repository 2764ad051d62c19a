import { expect } from 'vitest';
import { inputSchema, type JsonSchema } from '../../src/kernel/describe-operation.ts';
import { Registry } from '../../src/kernel/module.ts';
import { modules } from '../../src/modules.ts';
import { untilRead } from './create.ts';
import { kinds, type Kind, type Thing } from './model.ts';
import type { Program } from './program.ts';

/** Operations that end the caller's own keys and sessions or last long; what they name is the caller's. */
const left: ReadonlySet<string> = new Set([
  'account.set_password',
  'account.revoke_key',
  'account.end_session',
  'account.revoke_connection',
]);

type Targets = Partial<Record<Kind, Thing>>;

/**
 * Calls every operation there is as somebody who may not read certain things, with the ids of these things in every
 * field that takes one. Nothing of the things may be in an answer, and nothing may have changed.
 */
export async function sweepOperations(program: Program): Promise<void> {
  const user = program.pick(program.active);
  const targets: Targets = {};
  for (const kind of kinds) {
    const hidden = program.model.things.filter(
      (one) =>
        one.kind === kind &&
        !one.isGone &&
        !one.isDeleted &&
        !one.isItemDeleted &&
        program.isActive(one.owner) &&
        !program.model.may(user.userId, one, 'read') &&
        !program.model.mayKnowName(user.userId, one),
    );
    if (hidden.length > 0) targets[kind] = program.pick(hidden);
  }
  const { base: held } = targets;
  // Reading the base's items in the background changes them too, so it has to be over.
  if (held) await untilItemsRead(program, held);
  const noted = program.model.memories.find(({ userId }) => userId !== user.userId);
  const forget = { all: undefined, memory_ids: [noted?.id ?? 'memory_none'] };
  const before = await stateOf(program, targets);
  for (const { module, operation } of new Registry(Object.values(modules)).entries()) {
    const name = `${module.name}.${operation.name}`;
    if (left.has(name)) continue;
    for (const kind of /^(sharing|inbox)\./.test(name) ? kinds : [undefined]) {
      const input = { ...inputFor(inputSchema(operation), targets, kind), ...(name === 'note.forget' && forget) };
      await program.callOver(program.chance(0.5) ? 'http' : 'mcp', name, input, user);
    }
  }
  const { note, notebook, base, sheet } = targets;
  const pages = [
    `/notes/${note?.id}`,
    `/notes?folder=${notebook?.id}`,
    `/wiki/${base?.id}`,
    `/wiki/${base?.id}/item/${base?.item}`,
    `/sheet/${sheet?.id}`,
    '/p',
  ];
  for (const page of pages) {
    const response = await fetch(program.pick(program.nodes).url + page, {
      headers: { authorization: `Bearer ${user.apiKey}` },
    });
    program.check(page, {}, await response.text(), user, { withIds: false });
  }
  if (noted) {
    const owner = program.userOf(noted.userId);
    const { memories } = await program.done('note.list_memories', { limit: 200 }, owner);
    expect(
      memories.some((one: any) => one.memory_id === noted.id),
      program.where(),
    ).toBe(true);
  }
  expect(await stateOf(program, targets), `a sweep as ${user.userId} changed something; ${program.where()}`).toEqual(
    before,
  );
}

/** Waits until the items of a base are read: its first file, and notes that were filed in it lately. */
async function untilItemsRead(program: Program, base: Thing): Promise<void> {
  const owner = program.userOf(base.owner);
  await untilRead(program, base.item!, owner);
  const input = { knowledge_base_id: base.id, cursor: '', limit: 50 };
  const { knowledge_list: items } = await program.done('wiki.get_knowledge_list', input, owner);
  for (const { media_id: id } of items) if (id !== undefined) await untilRead(program, id, owner);
}

/** What the owners see of the things. */
async function stateOf(program: Program, { note, notebook, base, sheet }: Targets): Promise<unknown[]> {
  const asked: [Thing | undefined, string, (thing: Thing) => object][] = [
    [note, 'note.export_note', ({ id }) => ({ note_id: id })],
    [note, 'note.read_note', ({ id }) => ({ note_id: id, tags: true })],
    [note, 'note.list_note_comments', ({ id }) => ({ note_id: id })],
    [note, 'note.list_suggestions', ({ id }) => ({ note_id: id })],
    [notebook, 'note.browse_notes', ({ id }) => ({ folder_id: id })],
    [base, 'wiki.get_knowledge_list', ({ id }) => ({ knowledge_base_id: id, cursor: '', limit: 50 })],
    [base, 'wiki.list_members', ({ id }) => ({ knowledge_base_id: id })],
    [sheet, 'sheet.read', ({ id }) => ({ file_id: id })],
    [sheet, 'sheet.get_history', ({ id }) => ({ file_id: id })],
    ...[note, notebook, base, sheet].flatMap((thing): [Thing | undefined, string, (thing: Thing) => object][] => [
      [thing, 'sharing.list_shares', ({ kind, id }) => ({ kind, id })],
      [thing, 'sharing.list_published', ({ kind, id }) => ({ kind, id })],
    ]),
  ];
  const state: unknown[] = [];
  for (const [thing, name, input] of asked)
    // Asked of one node, because the addresses of links name the node that answers.
    if (thing) {
      const owner = program.userOf(thing.owner);
      state.push([name, await program.callOver('http', name, input(thing), owner, program.nodes[0])]);
    }
  return state;
}

function inputFor(schema: JsonSchema, targets: Targets, kind: Kind | undefined): Record<string, unknown> {
  const { note, notebook, base, sheet } = targets;
  const known: Record<string, unknown> = {
    note_id: note?.id,
    doc_id: note?.id,
    note_ids: note && [note.id],
    id: (kind ? targets[kind] : (note ?? sheet))?.id,
    ids: base && [base.id],
    kind,
    folder_id: notebook?.id,
    parent_folder_id: notebook?.id,
    notebook_id: notebook?.id,
    knowledge_base_id: base?.id,
    target_knowledge_base_id: base?.id,
    media_id: base?.item,
    media_ids: base?.item && [base.item],
    file_id: sheet?.id,
    sheet_id: sheet?.sheetId,
    note_info: note && { content_id: note.id },
    comment_id: note?.comments[0]?.id,
    entry_id: note?.comments[0]?.entry,
    suggestion_id: note?.suggestions[0],
    media_type: 11,
    user_id: note?.owner,
    user_name: undefined,
    group_name: undefined,
    group_id: undefined,
    everyone: undefined,
    cursor: '',
    url: 'https://example.com/hook',
    urls: ['https://example.com/'],
  };
  const required = new Set(schema.required);
  const input: Record<string, unknown> = {};
  for (const [field, type] of Object.entries(schema.properties ?? {})) {
    const value = field in known ? known[field] : required.has(field) ? valueOf(type) : undefined;
    if (value !== undefined) input[field] = value;
  }
  return input;
}

/** The plainest value that a schema allows. */
function valueOf(schema: JsonSchema): unknown {
  const values = schema['enum'] as unknown[] | undefined;
  if (values) return values[0];
  const any = (schema['anyOf'] ?? schema['oneOf']) as JsonSchema[] | undefined;
  if (any) return valueOf(any[0]!);
  switch (schema['type']) {
    case 'integer':
    case 'number':
      return Math.max(1, Number(schema['minimum'] ?? 1));
    case 'boolean':
      return true;
    case 'array':
      return [valueOf((schema['items'] ?? { type: 'string' }) as JsonSchema)];
    case 'object': {
      const required = new Set(schema.required);
      const fields = Object.entries(schema.properties ?? {}).filter(([field]) => required.has(field));
      return Object.fromEntries(fields.map(([field, type]) => [field, valueOf(type)]));
    }
    default:
      return 'x'.repeat(Math.max(1, Number(schema['minLength'] ?? 1)));
  }
}
