import { hostileMarkdown, noteBytes } from '../../testing/hostile-notes.ts';
import type { Callable, Key } from '../../testing/call-client.ts';

/** For each kind of Markdown that is slow to parse, creates ten notes at once and then appends a character to each. */
export const attack = {
  name: 'R3 hostile Markdown, ten notes of 16 KB each',
  async run(server: Callable & { attacker: Key }): Promise<void> {
    const say = async (operation: string, input: object): Promise<string> => {
      const { code, msg, data } = await server.call(
        'http',
        'note',
        operation,
        { content_format: 1, ...input },
        server.attacker,
      );
      if (code !== 0) throw new Error(`${operation}: ${code} ${msg}`);
      return data.note_id as string;
    };
    for (const markdown of Object.values(hostileMarkdown)) {
      const content = markdown(noteBytes - 100);
      const ids = await Promise.all(Array.from({ length: 10 }, () => say('import_doc', { content })));
      await Promise.all(ids.map((note_id) => say('append_doc', { note_id, content: 'x' })));
    }
  },
};
