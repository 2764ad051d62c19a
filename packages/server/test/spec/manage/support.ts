import { expect } from 'vitest';
import type { Answer, Callable, Key, ModuleCall } from '@sheaf/tools/testing/call-client.ts';
import { onSharedSurface } from '@sheaf/tools/testing/shared-surface-suite.ts';

export interface ManageTests {
  readonly call: ModuleCall;
  readonly server: () => Callable;
  /** Calls a sheet tool. */
  readonly sheet: ModuleCall;
  /** A new document. */
  create(title?: string, as?: Key): Promise<{ file_id: string; sheet_id: string }>;
  /** What query_file_info tells. */
  info(file_id: string, as?: Key): Promise<any>;
  share(file_id: string, user: Key, role: string): Promise<Answer>;
}

/** Tests of one operation, over HTTP and MCP, on both databases. */
export function onOperation(name: string, suite: (tests: ManageTests) => void): void {
  onSharedSurface('manage', name, (call, server) =>
    suite({
      call,
      server,
      sheet: (tool, input, as) => server().call('http', 'sheet', tool, input, as),
      async create(title = 'Test', as) {
        const { code, data } = await call('create_file', { title }, as);
        expect(code).toBe(0);
        return { file_id: data.file_id as string, sheet_id: data.sheet_id as string };
      },
      info: async (file_id, as) => (await call('query_file_info', { file_id }, as)).data,
      share: (file_id, user, role) => call('share_file', { file_id, user_id: user.userId, role }),
    }),
  );
}

export const nothing = { code: 0, msg: 'success', data: {} };
export const refused = (code: number, msg: string): Answer => ({ code, msg, data: {} });
export const unknown = (file_id: string): Answer => refused(310002, `file_id: there is no document "${file_id}"`);

export const base64 = (text: string): string => Buffer.from(text).toString('base64');
export const textOf = ({ data }: Answer): string => Buffer.from(data.content as string, 'base64').toString();
