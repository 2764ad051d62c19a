import { expect, test } from 'vitest';
import { onSurface, type ModuleCall } from '@sheaf/tools/testing/test-server.ts';
import { addNotebook, importNote } from './support.ts';

/** What an agent pays: four bytes are about a token. */
class Conversation {
  calls = 0;
  bytes = 0;
  readonly #call: ModuleCall;

  constructor(call: ModuleCall) {
    this.#call = call;
  }

  get tokens(): number {
    return this.bytes / 4;
  }

  async ask(operation: string, input: unknown, as?: Parameters<ModuleCall>[2]): Promise<any> {
    const answer = await this.#call(operation, input, as);
    this.calls += 1;
    this.bytes += Buffer.byteLength(operation + JSON.stringify(input) + JSON.stringify(answer));
    return answer;
  }
}

const long = (): string =>
  Array.from(
    { length: 400 },
    (_, i) => `## Day ${i}\n\n${'Words of the day that nobody needs twice. '.repeat(9)}\n\n- budget ${i}: open\n`,
  ).join('\n');

onSurface('note', 'notes in parts', (call, server) => {
  test('[finding G8] one line of a note of 40,000 tokens changes for 600 tokens', async () => {
    const content = long();
    const id = await importNote(call, `# Journal\n\n${content}`);
    const whole = (await call('read_note', { note_id: id, max_tokens: 1 })).data.notes[0];
    expect(whole.total_tokens).toBeGreaterThan(40_000);
    const agent = new Conversation(call);
    const read = await agent.ask('read_note', { note_id: id, heading: 'Day 217' });
    expect(read.data.notes[0].content).toContain('- budget 217: open');
    const edited = await agent.ask('edit_note', {
      note_id: id,
      edits: [{ old: 'budget 217: open', new: 'budget 217: closed' }],
      base_version: read.data.notes[0].version,
    });
    expect(edited.data).toMatchObject({ version: 2, changes: [{ text: '- budget 217: closed' }] });
    expect(agent.tokens).toBeLessThanOrEqual(600);
    const diff = await call('diff_note', { note_id: id });
    expect(diff.data.diff).toContain('-- budget 217: open\n+- budget 217: closed');
    const after = (await call('export_note', { note_id: id })).data.content;
    expect(after).toBe(`# Journal\n\n${content}`.replace('budget 217: open', 'budget 217: closed'));
  });

  test('[finding G8] 12 notes of a notebook replaced, proved and undone in 4 calls', async () => {
    const user = await server().newUser();
    const folder = await addNotebook(call, 'Suppliers', {}, user);
    const ids: string[] = [];
    for (let i = 0; i < 12; i++)
      ids.push(
        await importNote(
          call,
          `# Order ${i}\n\nVelox sends ${i} boxes. Veloxity stays.\n`,
          { folder_id: folder },
          user,
        ),
      );
    const outside = await importNote(call, 'Velox outside', {}, user);
    const agent = new Conversation(call);
    const wanted = { folder_id: folder, old: 'Velox', new: 'Velox GmbH', whole_word: true };
    const tried = await agent.ask('replace_in_notes', { ...wanted, dry_run: true }, user);
    expect(tried.data).toMatchObject({ change_id: '', total: 12, note_number: 12, searched: 12 });
    const done = await agent.ask('replace_in_notes', wanted, user);
    expect(done.data).toMatchObject({ total: 12, note_number: 12 });
    const read = await agent.ask('read_note', { note_ids: ids }, user);
    expect(read.data.notes.map((note: any) => note.content)).toEqual(
      ids.map((_, i) => `# Order ${i}\n\nVelox GmbH sends ${i} boxes. Veloxity stays.\n`),
    );
    const undone = await agent.ask('undo_note_change', { change_id: done.data.change_id }, user);
    expect(undone.data.notes).toHaveLength(12);
    expect(agent.calls).toBe(4);
    for (const [i, id] of ids.entries())
      expect((await call('export_note', { note_id: id }, user)).data).toMatchObject({
        content: `# Order ${i}\n\nVelox sends ${i} boxes. Veloxity stays.\n`,
        version: 3,
      });
    expect((await call('export_note', { note_id: outside }, user)).data).toMatchObject({ version: 1 });
    expect(await call('undo_note_change', { change_id: done.data.change_id }, user)).toMatchObject({ code: 210008 });
    expect(await call('undo_note_change', { change_id: undone.data.change_id })).toMatchObject({ code: 210001 });
    const redone = await call('undo_note_change', { change_id: undone.data.change_id }, user);
    expect(redone).toMatchObject({ code: 0 });
    expect((await call('get_note_history', { note_id: ids[0] }, user)).data.versions[2]).toMatchObject({
      operation: 'note.replace_in_notes',
    });
  });

  test('[finding G8] edit_note refuses what is absent, ambiguous or stale, and changes nothing', async () => {
    const id = await importNote(call, '# A\n\nred\n\n## B\n\nred\n');
    const edit = (edits: unknown[], more: object = {}) => call('edit_note', { note_id: id, edits, ...more });
    expect(await edit([{ old: 'red', new: 'blue' }])).toEqual({
      code: 210001,
      msg: 'edits.0.old: occurs 2 times in the note, at lines 3, 7; send more of the text around it, under, or count: 2',
      data: {},
    });
    expect(await edit([{ old: 'green', new: 'x' }])).toMatchObject({
      code: 210001,
      msg: 'edits.0.old: does not occur in the note',
    });
    expect(
      await edit([
        { old: 'red', new: 'x', under: 'B' },
        { under: 'C', new: 'x' },
      ]),
    ).toMatchObject({ code: 210001 });
    expect(await edit([{ old: 'red', new: 'x', under: 'B' }], { base_version: 7 })).toMatchObject({ code: 210008 });
    expect((await edit([{ old: 'red', new: 'x', under: 'B' }], { dry_run: true })).data).toMatchObject({
      version: 1,
      changes: [{ line: 7, text: 'x' }],
    });
    expect(
      await edit([
        { replace_section: 'A', new: '' },
        { old: '# A', new: '' },
      ]),
    ).toMatchObject({ code: 210001 });
    expect((await call('export_note', { note_id: id })).data).toMatchObject({
      version: 1,
      content: '# A\n\nred\n\n## B\n\nred\n',
    });
    const other = await server().newUser();
    expect(await call('edit_note', { note_id: id, edits: [{ old: '# A', new: 'x' }] }, other)).toMatchObject({
      code: 210034,
    });
    expect(await call('read_note', { note_ids: [id] }, other)).toMatchObject({ code: 210034, data: {} });
    expect(await call('diff_note', { note_id: id }, other)).toMatchObject({ code: 210034 });
    expect(await call('replace_in_notes', { note_ids: [id], old: 'red', new: 'x' }, other)).toMatchObject({
      code: 210033,
    });
  });

  test('a replacement that makes all notes together too large is refused, tried or done', async () => {
    // Nearly 1 MiB each, and together more than a call may change.
    const content = 'a'.repeat(100);
    const note_ids: string[] = [];
    for (let i = 0; i < 17; i++) note_ids.push(await importNote(call, content));
    for (const dry_run of [true, false])
      expect(await call('replace_in_notes', { note_ids, old: 'a', new: 'b'.repeat(10_000), dry_run })).toMatchObject({
        code: 210033,
        data: {},
      });
    expect((await call('export_note', { note_id: note_ids[0] })).data.version).toBe(1);
  });

  test('[finding G8] a replacement that makes a note too large is refused, tried or done, and quickly', async () => {
    const id = await importNote(call, 'a'.repeat(8000));
    for (const dry_run of [true, false]) {
      expect(
        await call('replace_in_notes', { note_ids: [id], old: 'a', new: 'b'.repeat(10_000), dry_run }),
      ).toMatchObject({ code: 210009, data: {} });
      const edits = [{ old: 'a', new: 'b'.repeat(100_000), count: 8000 }];
      expect(await call('edit_note', { note_id: id, edits, dry_run })).toMatchObject({ code: 210001, data: {} });
    }
    expect((await call('export_note', { note_id: id })).data.version).toBe(1);
  });

  test('[finding G8] edits at the same time are all applied', async () => {
    const id = await importNote(call, Array.from({ length: 5 }, (_, i) => `- item ${i}.`).join('\n'));
    const codes = await Promise.all(
      Array.from(
        { length: 5 },
        async (_, i) =>
          (await call('edit_note', { note_id: id, edits: [{ old: `item ${i}.`, new: `done ${i}.` }] })).code,
      ),
    );
    expect(codes).toEqual([0, 0, 0, 0, 0]);
    expect((await call('export_note', { note_id: id })).data.content).toBe(
      Array.from({ length: 5 }, (_, i) => `- done ${i}.`).join('\n'),
    );
  });

  test('[finding G8] read_note reads by lines, budget and in order, and says where to go on', async () => {
    const text = Array.from({ length: 300 }, (_, i) => `line ${i + 1}`).join('\n');
    const id = await importNote(call, text);
    const read = async (more: object) => (await call('read_note', { note_id: id, ...more })).data.notes[0];
    expect(await read({ from_line: 3, to_line: 4 })).toMatchObject({
      content: 'line 3\nline 4\n',
      from_line: 3,
      to_line: 4,
      total_lines: 300,
    });
    let whole = '';
    for (let start: number | undefined = 0; start !== undefined;) {
      const part: any = await read({ start, max_tokens: 100 });
      whole += part.content;
      start = part.next_start;
    }
    expect(whole).toBe(text);
    expect(await call('read_note', { note_id: id, from_line: 301 })).toMatchObject({
      code: 210001,
      msg: 'from_line: the note has 300 lines (got 301)',
    });
    expect(await call('read_note', {})).toMatchObject({ code: 210001 });
    await call('update_note', { note_id: id, content: '# One\n\n## Two\n\ntext' });
    expect(await read({ outline: true })).toMatchObject({
      outline: [
        { line: 1, level: 1, text: 'One' },
        { line: 3, level: 2, text: 'Two' },
      ],
    });
    expect(await read({ version: 1, to_line: 1 })).toMatchObject({ content: 'line 1\n', version: 1 });
    expect(await call('diff_note', { note_id: id, from_version: 9 })).toMatchObject({ code: 210001 });
  });
});
