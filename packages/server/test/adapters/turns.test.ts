/** How often a call waits for PostgreSQL, seen on the wire. No time is measured. */
import { expect, onTestFinished, test } from 'vitest';
import { freshPostgres } from '@sheaf/tools/testing/postgres.ts';
import { startServer } from '@sheaf/tools/testing/test-server.ts';
import { startRoundTripProxy, type RoundTripProxy } from '@sheaf/tools/testing/round-trip-proxy.ts';

const tries = 30;

/** The node does other things now and then (jobs, limits, the index): of several calls, the one that nothing fell into. */
async function fewest(
  wire: RoundTripProxy,
  call: (n: number) => Promise<{ code: number; msg: string }>,
): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < tries; n++) {
    const turns = await wire.countRoundTrips(async () => expect(await call(n)).toMatchObject({ code: 0 }));
    // The first ones prepare statements, open documents, look callers up.
    if (n >= 4) least = Math.min(least, turns);
  }
  return least;
}

test(
  '[finding Q10] a read takes no turn with PostgreSQL, a list one, a new note, an edit of a note or of a cell, an append two',
  { timeout: 180_000 },
  async () => {
    const direct = await freshPostgres();
    const wire = await startRoundTripProxy(direct);
    onTestFinished(() => wire.close());
    const server = await startServer({
      database: 'postgres',
      databaseUrl: wire.url,
      config: { SHEAF_DATABASE_DIRECT_URL: direct },
      runJobs: false,
    });
    onTestFinished(() => server.close());
    const call = (module: string, operation: string, input: unknown) => server.call('http', module, operation, input);
    const { data: file } = await call('manage', 'create_file', { title: 'Turns' });
    const { data: note } = await call('note', 'import_doc', { content_format: 1, content: '# One' });
    const turns = {
      get_me: await fewest(wire, () => call('account', 'get_me', {})),
      list_note: await fewest(wire, () => call('note', 'list_note', { cursor: '', limit: 20 })),
      import_doc: await fewest(wire, (n) => call('note', 'import_doc', { content_format: 1, content: `# Note ${n}` })),
      update_note: await fewest(wire, (n) =>
        call('note', 'update_note', { note_id: note.note_id, content: `# Other ${n}` }),
      ),
      append_doc: await fewest(wire, (n) =>
        call('note', 'append_doc', { note_id: note.note_id, content_format: 1, content: `more ${n}` }),
      ),
      set_cell_value: await fewest(wire, (n) =>
        call('sheet', 'set_cell_value', {
          file_id: file.file_id,
          sheet_id: file.sheet_id,
          row: n,
          col: 0,
          value_type: 'NUMBER',
          number_value: n,
        }),
      ),
      get_sheet_info: await fewest(wire, () => call('sheet', 'get_sheet_info', { file_id: file.file_id })),
    };
    expect(turns).toEqual({
      get_me: 0,
      list_note: 1,
      import_doc: 2,
      update_note: 2,
      append_doc: 2,
      set_cell_value: 2,
      get_sheet_info: 1,
    });
  },
);
