import { afterEach, expect, test, vi } from 'vitest';
import { call, type RawAnswer } from '@sheaf/client';
import type { AppendEntry } from '../../../src/ports/sheet-store.ts';
import { eachServer } from '@sheaf/tools/testing/test-server.ts';

const rows = Array.from({ length: 16 }, (_, row) => row);

eachServer('edits of one document with an Idempotency-Key', (server) => {
  afterEach(() => vi.restoreAllMocks());

  /** Edits that come at the same time, one for each row; `before` hears of each commit's calls before it is made. */
  async function edited(before: (entries: readonly AppendEntry[]) => Promise<void> = async () => undefined) {
    const { url, owner, app } = server();
    const options = { url, clientId: owner.clientId, apiKey: owner.apiKey };
    const { data: file } = await call(options, 'manage', 'create_file', { title: 'Keyed' });
    const about = { file_id: file['file_id'], sheet_id: file['sheet_id'] };
    const { sheets } = app.services;
    const append = sheets.append.bind(sheets);
    vi.spyOn(sheets, 'append').mockImplementation(async (id, entries, follows) => {
      await before(entries);
      return append(id, entries, follows);
    });
    const edit = (row: number): Promise<RawAnswer> =>
      call(
        options,
        'sheet',
        'enter_cells',
        { ...about, start_row: row, start_col: 0, rows: [[`row ${row}`]] },
        { idempotencyKey: `${String(about.file_id)} ${row}` },
      );
    const log = async (): Promise<unknown[]> => {
      const { data } = await call(options, 'sheet', 'get_history', { file_id: about.file_id });
      return data['revisions'] as unknown[];
    };
    const validate = async (): Promise<unknown> => (await call(options, 'sheet', 'validate_file_data', about)).data;
    return { edit, log, validate, answers: await Promise.all(rows.map(edit)) };
  }

  test('[finding Q16] those that come together share a commit, and each has its own answer', async () => {
    const commits: number[] = [];
    const { edit, log, answers } = await edited(async (entries) => void commits.push(entries.length));
    expect(answers.map(({ code }) => code)).toEqual(rows.map(() => 0));
    expect(commits.length).toBeLessThan(rows.length);
    expect(commits.reduce((sum, one) => sum + one)).toBe(rows.length);
    const again = await Promise.all(rows.map(edit));
    expect(again.map(({ code, data }) => [code, data])).toEqual(answers.map(({ code, data }) => [code, data]));
    expect(await log()).toHaveLength(1 + rows.length);
  });

  test('[finding Q16] one that another node has made meanwhile gets the answer of there; the others have their effect', async () => {
    let taken: string | undefined;
    const { log, answers } = await edited(async (entries) => {
      const last = entries.at(-1)!.stamp;
      if (taken !== undefined || entries.length < 3) return;
      taken = last.idempotencyKey!;
      await server().app.database.write(
        { ...last, answer: () => JSON.stringify({ data: { from: 'another node' }, version: 77 }) },
        async () => undefined,
      );
    });
    expect(taken).toBeDefined();
    const row = Number(taken!.split(' ')[1]);
    expect(answers.map(({ code }) => code)).toEqual(rows.map(() => 0));
    expect(answers[row]!.data).toEqual({ from: 'another node' });
    expect(answers.filter(({ data }) => 'from' in data)).toHaveLength(1);
    expect(await log()).toHaveLength(rows.length);
  });

  test('one that was made before leaves the document as the log has it, with its time', async () => {
    const { edit, log, validate } = await edited();
    const revisions = await log();
    // A commit that finds the key used is rolled back in the document too.
    const key = (entries: readonly AppendEntry[]): string | undefined => entries[0]!.stamp.idempotencyKey;
    const { sheets } = server().app.services;
    const append = sheets.append.bind(sheets);
    vi.spyOn(sheets, 'append').mockImplementation(async (id, entries, follows) => {
      if (key(entries)?.endsWith(' 99'))
        await server().app.database.write(
          { ...entries[0]!.stamp, answer: () => JSON.stringify({ data: {}, version: 1 }) },
          async () => undefined,
        );
      return append(id, entries, follows);
    });
    expect(await edit(99)).toMatchObject({ code: 0 });
    expect(await log()).toEqual(revisions);
    expect(await validate()).toMatchObject({ is_valid: true });
  });
});
