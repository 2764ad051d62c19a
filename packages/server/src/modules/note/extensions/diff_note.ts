import { tokenLimitEnd } from '@sheaf/search/analysis/llm-token-estimate';
import { fail } from '../../../kernel/errors.ts';
import { flag, integer, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { requireNote } from '../note-access.ts';
import { boundedText } from '../note-edits.ts';
import { noteIdFields, noteIds } from '../schema.ts';

const defaultTokens = 4000;

export const diff_note = operation({
  summary:
    'Compares two versions of a note\'s Markdown as a unified diff.\nExample: {"note_id":"note_...","from_version":3}',
  effect: 'read',
  view: 'diff',
  input: {
    ...noteIdFields,
    from_version: integer('Older version; the one before to_version if omitted.', { min: 1 }).optional(),
    to_version: integer('Newer version; the latest if omitted.', { min: 1 }).optional(),
    max_tokens: integer(`Maximum tokens of the diff. Default: ${defaultTokens}.`, {
      min: 1,
      max: 1_000_000,
    }).optional(),
  },
  output: {
    ...noteIds,
    from_version: integer('The older version.'),
    to_version: integer('The newer version.'),
    diff: text('The unified diff; empty if the texts are equal.'),
    is_cut: flag('Whether the diff was cut at max_tokens.'),
  },
  aliases: { doc_id: 'note_id' },
  async run({ note_id: id, from_version: from, to_version: to, max_tokens: tokens = defaultTokens }, context) {
    const note = await requireNote(context, id, 'read');
    const newer = to ?? note.version;
    const older = from ?? Math.max(1, newer - 1);
    const [before, after] = await Promise.all([context.notes.markdown(id, older), context.notes.markdown(id, newer)]);
    if (before === undefined) throw fail('invalid_parameter', `from_version: the note has no version ${older}`);
    if (after === undefined) throw fail('invalid_parameter', `to_version: the note has no version ${newer}`);
    const diff = await boundedText(() => context.noteText.diff(context.caller.userId, before, after));
    const end = diff === '' ? 0 : tokenLimitEnd(diff, 0, tokens);
    return {
      note_id: id,
      doc_id: id,
      from_version: older,
      to_version: newer,
      diff: diff.slice(0, end),
      is_cut: end < diff.length,
    };
  },
});
