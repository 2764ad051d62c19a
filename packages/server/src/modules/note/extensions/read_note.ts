import { z } from 'zod';
import { estimateTokens, tokenLimitEnd } from '@sheaf/search/analysis/llm-token-estimate';
import type { Context } from '../../../context.ts';
import { fail } from '../../../kernel/errors.ts';
import { flag, integer, list, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { tagsAfter, toTagInfos } from '../../../kernel/tag-fields.ts';
import type { Note } from '../../../ports/note-store.ts';
import type { OutlineHeading } from '../../../ports/note-text.ts';
import { requireNote } from '../note-access.ts';
import { boundedText } from '../note-edits.ts';
import { docId, plainString } from '../schema.ts';
import { lineAt } from '../text/edit-text.ts';
import { requireHeading } from '../text/outline.ts';

const defaultTokens = 8000;
const maxOutline = 300;

const part = z.object({
  note_id: text("The note's id."),
  title: text('Its title.'),
  version: integer('Its version; pass it as base_version.'),
  content: text('This part of the Markdown.'),
  from_line: integer('Line where it begins, starting at 1.'),
  to_line: integer('Line where it ends.'),
  total_lines: integer('Lines of the note.'),
  total_tokens: integer('Approximate number of tokens of the note.'),
  next_start: integer('Where to read on, as start; absent at the end of the note.').optional(),
  outline: list(
    'Its headings.',
    z.object({ line: integer('Line.'), level: integer('1 to 6.'), text: text('Heading.') }),
  ).optional(),
  tags: tagsAfter().optional(),
});

export const read_note = operation({
  summary:
    'Reads the Markdown of one or several notes, whole or in part: a heading, lines, or as much as a token budget ' +
    'allows.\nExample: {"note_id":"note_...","heading":"Tasks"}',
  effect: 'read',
  input: {
    note_id: plainString("The note's id.").optional(),
    doc_id: docId(),
    note_ids: list('Several notes instead.', plainString('Note id.', { min: 1 }), { min: 1, max: 50 }).optional(),
    heading: plainString('Only the section of this heading, or of "Parent > Heading".', {
      min: 1,
      max: 300,
    }).optional(),
    from_line: integer('First line.', { min: 1 }).optional(),
    to_line: integer('Last line.', { min: 1 }).optional(),
    start: integer('next_start of the part before.', { min: 0 }).optional(),
    max_tokens: integer(`Tokens of all texts together. Default: ${defaultTokens}.`, {
      min: 1,
      max: 1_000_000,
    }).optional(),
    outline: flag('Whether to list headings; by default for notes that the budget cuts.').optional(),
    tags: flag('Whether to list tags.').optional(),
    version: integer('Version of the note; the latest if omitted.', { min: 1 }).optional(),
  },
  output: { notes: list('The notes, in the order asked for.', part) },
  aliases: { doc_id: 'note_id' },
  async run(input, context) {
    const ids = input.note_ids ?? (input.note_id ? [input.note_id] : []);
    if (ids.length === 0) throw fail('invalid_parameter', 'note_id: send note_id or note_ids');
    if (input.note_ids && input.note_id) throw fail('invalid_parameter', 'note_ids: send either note_id or note_ids');
    const parts = [input.heading, input.from_line ?? input.to_line, input.start].filter((one) => one !== undefined);
    if (parts.length > 1)
      throw fail('invalid_parameter', 'heading: send only one of heading, from_line with to_line, and start');
    const notes: z.input<typeof part>[] = [];
    let left = input.max_tokens ?? defaultTokens;
    const tags = input.tags ? await context.tags.tagsOf(ids) : undefined;
    for (const id of ids) {
      const read = await readPart(context, id, input, left);
      if (tags) read.tags = toTagInfos(tags.get(id) ?? []);
      left -= estimateTokens(read.content);
      notes.push(read);
    }
    if (notes.length === 1) context.reply.version = notes[0]!.version;
    return { notes };
  },
});

interface Wanted {
  heading?: string | undefined;
  from_line?: number | undefined;
  to_line?: number | undefined;
  start?: number | undefined;
  outline?: boolean | undefined;
  version?: number | undefined;
}

async function readPart(context: Context, id: string, wanted: Wanted, tokens: number): Promise<z.input<typeof part>> {
  const note = await requireNote(context, id, 'read');
  const markdown = await context.notes.markdown(id, wanted.version);
  if (markdown === undefined) throw fail('invalid_parameter', `version: the note has no version ${wanted.version}`);
  let headings: OutlineHeading[] | undefined;
  const outline = async (): Promise<OutlineHeading[]> =>
    (headings ??= (await boundedText(() => context.noteText.outline(context.caller.userId, markdown))).headings);
  const range = await rangeOf(wanted, markdown, outline);
  const end = tokens <= 0 ? range.from : Math.min(range.to, tokenLimitEnd(markdown, range.from, tokens));
  const isCut = end < range.to;
  const lists = wanted.outline ?? (isCut && wanted.heading === undefined);
  return {
    ...fieldsOf(note, wanted.version),
    content: markdown.slice(range.from, end),
    from_line: lineAt(markdown, range.from),
    to_line: lineAt(markdown, Math.max(range.from, end - 1)),
    total_lines: lineAt(markdown, markdown.length),
    total_tokens: estimateTokens(markdown),
    ...(end < markdown.length ? { next_start: end } : {}),
    ...(lists
      ? {
          outline: (await outline())
            .slice(0, maxOutline)
            .map(({ line, level, text: words }) => ({ line, level, text: words })),
        }
      : {}),
  };
}

function fieldsOf(note: Note, version: number | undefined): { note_id: string; title: string; version: number } {
  return { note_id: note.id, title: note.title, version: version ?? note.version };
}

async function rangeOf(
  wanted: Wanted,
  markdown: string,
  outline: () => Promise<OutlineHeading[]>,
): Promise<{ from: number; to: number }> {
  const { heading, from_line: first = 1, to_line: last = Infinity, start } = wanted;
  if (start !== undefined) {
    if (start > markdown.length)
      throw fail('invalid_parameter', `start: the text has ${markdown.length} characters (got ${start})`);
    return { from: start, to: markdown.length };
  }
  if (heading !== undefined) {
    const found = requireHeading(await outline(), heading, 'heading');
    if ('refused' in found) throw fail('invalid_parameter', found.refused);
    return found;
  }
  if (last < first) throw fail('invalid_parameter', `to_line: must not be less than from_line (got ${last})`);
  const from = offsetOfLine(markdown, first);
  if (from === undefined)
    throw fail(
      'invalid_parameter',
      `from_line: the note has ${lineAt(markdown, markdown.length)} lines (got ${first})`,
    );
  return { from, to: (last === Infinity ? undefined : offsetOfLine(markdown, last + 1)) ?? markdown.length };
}

/** Returns the offset of a line, or undefined if there are fewer lines. */
function offsetOfLine(markdown: string, line: number): number | undefined {
  let from = 0;
  for (let at = 1; at < line; at++) {
    const end = markdown.indexOf('\n', from);
    if (end < 0) return undefined;
    from = end + 1;
  }
  return from;
}
