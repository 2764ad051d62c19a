/**
 * Shorthands of the wiki tests. `const kit = wikiKit(call)` then `await kit.base()`, `await kit.markdown(base, 'a.md', '# Hi')`.
 */
import { expect } from 'vitest';
import { pairsFor } from '@sheaf/tools/testing/surface-database-pairs.ts';
import {
  onSurface,
  type Key,
  type ModuleCall,
  type ServerOptions,
  type TestServer,
} from '@sheaf/tools/testing/test-server.ts';

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

/** On one pair of surface and database (see surface-database-pairs.ts): SQLite and files, or PostgreSQL and S3. */
export function onWiki(
  title: string,
  suite: (call: ModuleCall, server: () => TestServer) => void,
  options: ServerOptions = {},
): void {
  for (const pair of pairsFor(title)) {
    const blobs = pair.database === 'sqlite' ? 'files' : 's3';
    onSurface('wiki', title, suite, { ...options, blobs, pairs: [pair] });
  }
}
