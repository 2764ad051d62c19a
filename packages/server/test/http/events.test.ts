import { expect, onTestFinished, test, vi } from 'vitest';
import { eachServer, type Key, type TestServer } from '@sheaf/tools/testing/test-server.ts';

async function listen(
  server: TestServer,
  address: string,
  as: Key,
): Promise<{ status: number; next: () => Promise<any>; stop: () => void }> {
  const control = new AbortController();
  const response = await fetch(`${server.url}/openapi/${address}`, {
    headers: { authorization: as.apiKey },
    signal: control.signal,
  });
  const reader = response.body!.getReader();
  let text = '';
  return {
    status: response.status,
    async next() {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end >= 0) {
          const event = text.slice(0, end);
          text = text.slice(end + 2);
          if (event.startsWith('data: ')) return JSON.parse(event.slice(6));
          continue;
        }
        const { value, done } = await reader.read();
        if (done) return undefined;
        text += new TextDecoder().decode(value);
      }
    },
    stop: () => control.abort(),
  };
}

eachServer('live events', (server) => {
  test('a committed revision is told with its version, caller and tool', async () => {
    const { data } = await server().call('http', 'manage', 'create_file', { title: 'Live' });
    const events = await listen(server(), `sheet/v1/events?file_id=${data.file_id}`, server().owner);
    expect(await events.next()).toEqual({ version: 1 });
    await server().call('mcp', 'sheet', 'set_cell_value', {
      file_id: data.file_id,
      sheet_id: data.sheet_id,
      cell: { row: 0, col: 0, value_type: 'NUMBER', number_value: 1 },
    });
    expect(await events.next()).toMatchObject({ version: 2, user_id: server().owner.userId, tool: 'set_cell_value' });
    events.stop();
  });

  test('[finding Q20] an event is written as JSON once for all its listeners', async () => {
    const { data } = await server().call('http', 'manage', 'create_file', { title: 'Heard by many' });
    const address = `sheet/v1/events?file_id=${data.file_id}`;
    const listeners = await Promise.all(Array.from({ length: 20 }, () => listen(server(), address, server().owner)));
    for (const events of listeners) expect(await events.next()).toEqual({ version: 1 });
    const written = vi.spyOn(JSON, 'stringify');
    onTestFinished(() => written.mockRestore());
    const cell = { row: 0, col: 0, value_type: 'NUMBER', number_value: 1 };
    await server().call('http', 'sheet', 'set_cell_value', { file_id: data.file_id, sheet_id: data.sheet_id, cell });
    const heard = await Promise.all(listeners.map((events) => events.next()));
    expect(heard).toEqual(heard.map(() => expect.objectContaining({ version: 2, tool: 'set_cell_value' })));
    const isEvent = (value: unknown): boolean =>
      (value as { tool?: string } | null)?.tool === 'set_cell_value' && 'range' in (value as object);
    expect(written.mock.calls.filter(([value]) => isEvent(value))).toHaveLength(1);
    for (const events of listeners) events.stop();
  });

  test('[finding A1] a revision says what it changed, and where rows and columns went, whatever tool made it', async () => {
    const { data } = await server().call('http', 'manage', 'create_file', { title: 'Shifting' });
    const { file_id, sheet_id } = data as { file_id: string; sheet_id: string };
    const events = await listen(server(), `sheet/v1/events?file_id=${file_id}`, server().owner);
    expect(await events.next()).toEqual({ version: 1 });
    const call = async (tool: string, input: Record<string, unknown>): Promise<unknown> => {
      await server().call('http', 'sheet', tool, { file_id, ...input });
      return events.next();
    };
    const cell = (row: number): unknown => ({ row, col: 0, value_type: 'NUMBER', number_value: 1 });
    const rows = { sheet_id, axis: 'row' };
    expect(await call('set_cell_value', { sheet_id, cell: cell(0) })).toMatchObject({ scope: ['cells'], shifts: [] });
    // A grid that grows is another layout, also when only a cell was written.
    expect(await call('set_cell_value', { sheet_id, cell: cell(5000) })).toMatchObject({ scope: ['cells', 'layout'] });
    expect(
      await call('batch', {
        calls: [
          { tool: 'insert_dimension', arguments: { sheet_id, dimension_type: 'row', index: 2, count: 3 } },
          { tool: 'set_cell_value', arguments: { sheet_id, cell: cell(2) } },
          { tool: 'delete_dimension', arguments: { sheet_id, dimension_type: 'row', index: 0, count: 1 } },
        ],
      }),
    ).toMatchObject({
      tool: 'batch',
      scope: ['cells', 'layout'],
      shifts: [
        { ...rows, at: 2, count: 3 },
        { ...rows, at: 0, count: -1 },
      ],
    });
    const undone = (await call('revert', { version: 3 })) as { scope: string[]; shifts: unknown[] };
    expect(undone.scope).toContain('layout');
    expect(undone.shifts).toEqual([
      { ...rows, at: 0, count: 1 },
      { ...rows, at: 2, count: -3 },
    ]);
    expect(await call('add_sheet', { name: 'Second' })).toMatchObject({ scope: ['sheets'], shifts: [] });
    events.stop();
  });

  test('a stranger is refused as for an unknown document', async () => {
    const { data } = await server().call('http', 'manage', 'create_file', { title: 'Private' });
    const stranger = await server().newUser();
    for (const id of [data.file_id as string, 'doc_unknown']) {
      const response = await fetch(`${server().url}/openapi/sheet/v1/events?file_id=${id}`, {
        headers: { authorization: stranger.apiKey },
      });
      expect([response.status, ((await response.json()) as { code: number }).code]).toEqual([403, 310002]);
    }
  });

  test('changes of a knowledge base are told to its members, of notes to their author', async () => {
    const { data } = await server().call('http', 'wiki', 'create_knowledge_base', { name: 'Live' });
    const id = data.knowledge_base_id as string;
    const base = await listen(server(), `wiki/v1/events?knowledge_base_id=${id}`, server().owner);
    expect(await base.next()).toEqual({});
    await server().call('mcp', 'wiki', 'create_folder', { knowledge_base_id: id, name: 'New' });
    // Through PostgreSQL the event of the base itself may arrive after somebody began to listen.
    let told = await base.next();
    if (told.operation === 'wiki.create_knowledge_base') told = await base.next();
    expect(told).toMatchObject({ user_id: server().owner.userId, operation: 'wiki.create_folder' });
    base.stop();
    const notes = await listen(server(), 'note/v1/events', server().owner);
    expect(await notes.next()).toEqual({});
    await server().call('http', 'note', 'import_doc', { content_format: 1, content: '# Hi' });
    expect(await notes.next()).toMatchObject({ user_id: server().owner.userId, operation: 'note.import_doc' });
    notes.stop();
    const stranger = await server().newUser();
    for (const unseen of [id, 'kb_unknown']) {
      const response = await fetch(`${server().url}/openapi/wiki/v1/events?knowledge_base_id=${unseen}`, {
        headers: { authorization: stranger.apiKey },
      });
      expect([response.status, ((await response.json()) as { code: number }).code]).toEqual([403, 110030]);
    }
  });

  test('changes of a shared note are told to its readers, of other notes of its author not, and no more once it is not shared', async () => {
    const [ada, ben] = [await server().newUser(), await server().newUser()];
    const write = async (content: string): Promise<string> =>
      (await server().call('http', 'note', 'import_doc', { content_format: 1, content }, ada)).data.note_id;
    const [shared, other] = [await write('# Shared'), await write('# Other')];
    const refused = await listen(server(), `note/v1/events?note_id=${shared}`, ben);
    expect(refused.status).toBe(403);
    const grant = { kind: 'note', id: shared, user_id: ben.userId };
    await server().call('http', 'sharing', 'share', { ...grant, role: 'read' }, ada);
    const events = await listen(server(), `note/v1/events?note_id=${shared}`, ben);
    expect(await events.next()).toEqual({});
    const update = (note_id: string) => server().call('http', 'note', 'update_note', { note_id, content: 'new' }, ada);
    await update(other);
    await update(shared);
    // Through PostgreSQL events of the import may arrive after somebody began to listen.
    let told = await events.next();
    while (told.operation === 'note.import_doc' && told.target === shared) told = await events.next();
    expect(told).toMatchObject({ user_id: ada.userId, operation: 'note.update_note', target: shared });
    await server().call('http', 'sharing', 'unshare', grant, ada);
    await update(shared);
    expect(await events.next()).toBeUndefined();
  });

  test('[finding R15] who loses access hears nothing more, and the stream ends at once', async () => {
    const guest = await server().newUser();
    const { data } = await server().call('http', 'manage', 'create_file', { title: 'Shared' });
    const share = (role: string) =>
      server().call('http', 'manage', 'share_file', { file_id: data.file_id, user_id: guest.userId, role });
    await share('viewer');
    const sheet = await listen(server(), `sheet/v1/events?file_id=${data.file_id}`, guest);
    expect(await sheet.next()).toEqual({ version: 1 });
    const notes = await listen(server(), 'note/v1/events', guest);
    expect(await notes.next()).toEqual({});
    const started = performance.now();
    await share('none');
    await server().call('http', 'sheet', 'set_cell_value', {
      file_id: data.file_id,
      sheet_id: data.sheet_id,
      cell: { row: 0, col: 0, value_type: 'NUMBER', number_value: 1 },
    });
    expect(await sheet.next()).toBeUndefined();
    await server().call('http', 'account', 'suspend_user', { user_id: guest.userId });
    expect(await notes.next()).toBeUndefined();
    // Before the heartbeat, which was what ended them.
    expect(performance.now() - started).toBeLessThan(9_000);
  });
});
