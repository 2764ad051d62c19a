/**
 * Simulates an attack with notes whose Markdown takes quadratic time in simple parsers: creates many notes at once,
 * then appends a character to each. Tests check that other users are not slowed down.
 */
import type { Callable } from './call-client.ts';
import { measureImpact, elapsedMs, type AttackImpact } from './attack-impact.ts';

export const noteBytes = 16 * 1024;

const filled = (lead: string, piece: string, bytes = noteBytes): string =>
  (lead + piece.repeat(Math.ceil(bytes / piece.length))).slice(0, bytes);

/**
 * Functions that return hostile Markdown of `bytes` bytes, by kind. The text starts with a line of words, because the
 * server takes the note's title from it.
 */
export const hostileMarkdown: Readonly<Record<string, (bytes?: number) => string>> = {
  'lazy continuation of a list': (bytes) => filled('- Words\n', 'a\n', bytes),
  'lazy continuation that looks like a table': (bytes) => filled('* Words\n', ':-->|a|\n', bytes),
  'lazy continuation of nested lists': (bytes) => filled('- Words\n  - b\n    - c\n', 'a\n', bytes),
  'indented lines under items': (bytes) => filled('Words\n', '- a\n\t:', bytes),
  'lazy continuation of a quote': (bytes) => filled('> Words\n', 'a\n', bytes),
  'quotes continued in turns': (bytes) => filled('> Words\n', '> > a\nb\n', bytes),
  'definitions without an end': (bytes) => filled('Words\n\n', '[a]: b "\n', bytes),
  'definitions in a list': (bytes) => filled('1. Words\n', '**[^1]: z\n', bytes),
  'one long mail address': (bytes) => `${filled('Words\n\na* ', '=#.', (bytes ?? noteBytes) - 1)}@`,
  'unclosed emphasis': (bytes) => filled('Words\n\n', '**a* ', bytes),
  brackets: (bytes) => filled('Words\n\n', '[', bytes),
  'links without an end': (bytes) => filled('Words\n\n', '[a](', bytes),
  'tables of one column': (bytes) => filled('Words\n\n', '|-|\n', bytes),
  underlines: (bytes) => filled('# Words\n\n', '===\n', bytes),
  comments: (bytes) => filled('Words\n\n', '<!-- ', bytes),
  tags: (bytes) => filled('Words\n\n', '<a b="', bytes),
};

export interface NotesImpact extends AttackImpact {
  /**
   * Time of the slowest creation of a hostile note (`made`) and of the slowest append (`appended`), in milliseconds.
   */
  made: number;
  appended: number;
}

/**
 * Creates `count` notes with the text `markdown` at once, then appends a character to each. Returns how long the
 * attacker's calls and those of another user took.
 */
export async function attackWithNotes(server: Callable, markdown: string, count = 10): Promise<NotesImpact> {
  const attacker = await server.newUser();
  const { felt, result } = await measureImpact(server, async () => {
    let made = 0;
    let appended = 0;
    const ids: string[] = [];
    const say = async (operation: string, input: object): Promise<string> => {
      const { code, msg, data } = await server.call(
        'http',
        'note',
        operation,
        { content_format: 1, ...input },
        attacker,
      );
      if (code !== 0) throw new Error(`${operation}: ${code} ${msg}`);
      return data.note_id as string;
    };
    const make = async (): Promise<void> => {
      made = Math.max(made, await elapsedMs(async () => ids.push(await say('import_doc', { content: markdown }))));
    };
    await Promise.all(Array.from({ length: count }, make));
    // The server parses only the first 16 KiB of a note, for its title and summary. The notes in `ids` are that long,
    // so appending to them causes no parsing. This additional note is shorter, so appending to it does.
    const short = await say('import_doc', { content: markdown.slice(0, Math.max(8, markdown.length - 200)) });
    for (const note_id of [...ids, short]) {
      appended = Math.max(appended, await elapsedMs(() => say('append_doc', { note_id, content: 'x' })));
    }
    return { made, appended };
  });
  return { ...felt, ...result };
}
