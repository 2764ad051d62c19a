import type { CellReply } from '@sheaf/engine';
import { expect } from 'vitest';
import { sheet as sheetModule } from '../../../src/modules/sheet/index.ts';
import type { Answer, Callable, Key, ModuleCall } from '@sheaf/tools/testing/call-client.ts';
import { onSharedSurface } from '@sheaf/tools/testing/shared-surface-suite.ts';

export interface Sheet {
  readonly file_id: string;
  readonly sheet_id: string;
  /** Calls a tool on this sub-sheet; file_id and sheet_id are filled in. */
  call(tool: string, input?: Record<string, unknown>, as?: Key): Promise<Answer>;
  /** The same, and it must succeed. */
  ok(tool: string, input?: Record<string, unknown>, as?: Key): Promise<any>;
  /** Writes CSV from a cell like B2 on. */
  put(at: string, csv: string): Promise<void>;
  /** Computed values of a range like A1:C3, as CSV. */
  csv(range: string): Promise<string>;
  cells(range: string): Promise<CellReply[]>;
  /** Formula text of one cell. */
  formula(at: string): Promise<string | undefined>;
}

/** A new document with an empty first sub-sheet, and what is written into A1 if anything is. */
export async function newSheet(call: ModuleCall, server: Callable, csv?: string, as?: Key): Promise<Sheet> {
  const made = await server.call('http', 'manage', 'create_file', { title: 'Test' }, as);
  expect(made).toMatchObject({ code: 0 });
  const sheet = sheetOf(call, made.data.file_id as string, made.data.sheet_id as string);
  if (csv !== undefined) await sheet.put('A1', csv);
  return sheet;
}

export function sheetOf(call: ModuleCall, file_id: string, sheet_id: string): Sheet {
  const run = (tool: string, input: Record<string, unknown> = {}, as?: Key): Promise<Answer> =>
    call(tool, { ...fieldsOf(tool, { file_id, sheet_id }), ...input }, as);
  const ok = async (tool: string, input: Record<string, unknown> = {}, as?: Key): Promise<any> => {
    const answer = await run(tool, input, as);
    expect(answer, tool).toMatchObject({ code: 0, msg: 'success' });
    return answer.data;
  };
  return {
    file_id,
    sheet_id,
    call: run,
    ok,
    async put(at, csv) {
      const { start_row, start_col } = r4(at);
      await ok('set_range_value_by_csv', { start_row, start_col, csv_data: csv });
    },
    async csv(range) {
      return (await ok('get_cell_data', { ...r4(range), return_csv: true })).csv_data as string;
    },
    async cells(range) {
      return (await ok('get_cell_data', r4(range))).cells as CellReply[];
    },
    async formula(at) {
      const [cell] = (await ok('get_cell_data', r4(at))).cells as CellReply[];
      return cell?.formula;
    },
  };
}

/** Those of the fields that a tool has: our own refuse others. */
function fieldsOf(tool: string, fields: Record<string, unknown>): Record<string, unknown> {
  const { input } = sheetModule.operations[tool as keyof typeof sheetModule.operations] ?? {};
  const shape = (input as { shape?: object } | undefined)?.shape ?? {};
  return Object.fromEntries(Object.entries(fields).filter(([name]) => Object.hasOwn(shape, name)));
}

/** Rows and columns of A1 notation, from 0. */
export function r4(range: string): { start_row: number; start_col: number; end_row: number; end_col: number } {
  const [from, to = from] = range.split(':') as [string, string?];
  const place = (text: string): [number, number] => {
    const [, letters, digits] = /^([A-Z]+)(\d+)$/.exec(text)!;
    return [Number(digits) - 1, [...letters!].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1];
  };
  const [start_row, start_col] = place(from);
  const [end_row, end_col] = place(to);
  return { start_row, start_col, end_row, end_col };
}

export const at = (cell: string): { row: number; col: number } => {
  const { start_row, start_col } = r4(cell);
  return { row: start_row, col: start_col };
};

export interface ToolTests {
  readonly call: ModuleCall;
  readonly server: () => Callable;
  /** A new document with that CSV in its first sub-sheet. */
  sheet(csv?: string, as?: Key): Promise<Sheet>;
}

/** Tests of one tool, over HTTP and MCP, on both databases. */
export function onTool(name: string, suite: (tests: ToolTests) => void): void {
  onSharedSurface('sheet', name, (call, server) =>
    suite({ call, server, sheet: (csv, as) => newSheet(call, server(), csv, as) }),
  );
}

/** The answer of a write that has nothing to tell. */
export const nothing = { code: 0, msg: 'success', data: {} };

/** The answer of a write of our own that has nothing to tell but its version. */
export const done = { code: 0, msg: 'success', data: { version: expect.any(Number) as number } };

/** A refusal, whole. */
export const refused = (code: number, msg: string): Answer => ({ code, msg, data: {} });

/** The version a document is at. */
export async function versionOf(server: Callable, { file_id }: Sheet): Promise<number> {
  return (await server.call('http', 'manage', 'query_file_info', { file_id })).data.file.version as number;
}

/** A new user with whom the document is shared. */
export async function sharedWith(server: Callable, { file_id }: Sheet, role: 'editor' | 'viewer'): Promise<Key> {
  const user = await server.newUser();
  expect(await server.call('http', 'manage', 'share_file', { file_id, user_id: user.userId, role })).toMatchObject({
    code: 0,
  });
  return user;
}
