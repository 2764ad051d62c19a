import { expect } from 'vitest';
import type { Callable } from '@sheaf/tools/testing/call-client.ts';
import type { Key } from '@sheaf/tools/testing/test-server.ts';

/** Calls of operations as `module.operation`, of a server or of one node of several. */
export function callsOf(server: () => Callable) {
  const ask = (name: string, input: object = {}, as?: Key): Promise<any> => {
    const [module, operation] = name.split('.') as [string, string];
    return server().call('http', module, operation, input as Record<string, unknown>, as);
  };
  const done = async (name: string, input: object = {}, as?: Key): Promise<any> => {
    const answer = await ask(name, input, as);
    expect([name, answer.code, answer.msg]).toEqual([name, 0, 'success']);
    return answer.data;
  };
  return {
    ask,
    done,
    newNote: async (content: string, as?: Key): Promise<string> =>
      (await done('note.import_doc', { content_format: 1, content }, as)).note_id,
    shareNote: (id: string, to: Key, role: string, as?: Key): Promise<any> =>
      done('sharing.share', { kind: 'note', id, user_id: to.userId, role }, as),
    nameOf: async (user: Key): Promise<string> => (await done('account.get_me', {}, user)).name,
    /** Lines of people's doings, without those of the keys that the test itself uses. */
    inbox: async (as: Key, more: object = {}): Promise<any[]> =>
      (await done('inbox.list_inbox', { types: ['mention', 'reply', 'comment', 'share', 'change'], ...more }, as))
        .lines,
  };
}
