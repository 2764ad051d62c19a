/**
 * Shorthands of the wiki tests. `const kit = wikiKit(call)` then `await kit.base()`, `await kit.markdown(base, 'a.md', '# Hi')`.
 */
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { startServer, type Key, type ModuleCall, type ServerOptions, type TestServer } from '../../support/server.ts';

export function wikiKit(call: ModuleCall) {
  const done = async (operation: string, input: unknown, as?: Key) => {
    const answer = await call(operation, input, as);
    expect([operation, answer.code, answer.msg]).toEqual([operation, 0, 'success']);
    return answer.data;
  };
  return {
    done,
    async base(name = 'Base', as?: Key): Promise<string> {
      return (await done('create_knowledge_base', { name }, as)).knowledge_base_id;
    },
    async folder(base: string, name: string, parent?: string, as?: Key): Promise<string> {
      return (await done('create_folder', { knowledge_base_id: base, name, parent_folder_id: parent }, as)).folder_id;
    },
    async file(
      base: string,
      fileName: string,
      content: string | Uint8Array,
      more: object = {},
      as?: Key,
    ): Promise<string> {
      const bytes = Buffer.from(content as string);
      return (
        await done(
          'upload_knowledge',
          { knowledge_base_id: base, file_name: fileName, content: bytes.toString('base64'), ...more },
          as,
        )
      ).media_id;
    },
    /** Waits until the item's text is read. */
    async ready(...ids: string[]): Promise<void> {
      const { states } = await done('get_knowledge_state', { media_ids: ids, wait_seconds: 20 });
      expect(states.map((one: { state: string; reason: string }) => [one.state, one.reason])).toEqual(
        ids.map(() => ['ready', '']),
      );
    },
    async member(base: string, user: Key, role: string): Promise<void> {
      await done('set_member', { knowledge_base_id: base, user_id: user.userId, role });
    },
    async list(base: string, more: object = {}, as?: Key) {
      return done('get_knowledge_list', { cursor: '', limit: 50, knowledge_base_id: base, ...more }, as);
    },
  };
}

export function titles(list: { title: string }[]): string[] {
  return list.map((entry) => entry.title);
}

/** The two ways to install it: everything embedded, and everything outside. */
const installations = [
  { database: 'sqlite', blobs: 'files' },
  { database: 'postgres', blobs: 's3' },
] as const;

/** Four times: over HTTP and MCP, on SQLite with files and on PostgreSQL with S3. */
export function eachWiki(
  title: string,
  suite: (call: ModuleCall, server: () => TestServer) => void,
  options: ServerOptions = {},
): void {
  for (const installation of installations) {
    describe(`${title} on ${installation.database} and ${installation.blobs}`, () => {
      let server: TestServer;
      beforeAll(async () => {
        server = await startServer({ ...options, ...installation });
      });
      afterAll(() => server?.close());
      for (const surface of ['http', 'mcp'] as const) {
        describe(`over ${surface}`, () =>
          suite(
            (operation, input, as) => server.call(surface, 'wiki', operation, input, as),
            () => server,
          ));
      }
    });
  }
}
