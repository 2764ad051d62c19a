import type { Context } from '../../../context.ts';
import { fail } from '../../../kernel/errors.ts';
import { integer, oneOf, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { isEnd, nextCursor } from '../../../kernel/paging.ts';
import { accessRoles } from '../../../ports/permission-store.ts';
import { expandUriTemplate } from '../../../kernel/mcp-resource.ts';
import { requireNote, type AccessibleNote } from '../note-access.ts';
import { noteResource } from '../mcp-resource.ts';
import { safeFileName, buildZipPart } from '../zip-export.ts';
import { docId, plainString } from '../schema.ts';

const formats = ['markdown', 'text', 'json', 'zip'] as const;

export const export_note = operation({
  summary:
    'Exports a note as Markdown exactly as stored, as plain text or as JSON. With format zip, exports ' +
    'all notes in parts of about 4 MiB, each a separate zip file.\nExample: ' +
    '{"note_id":"note_...","format":"markdown"}',
  effect: 'read',
  input: {
    note_id: plainString('Note id; with format "zip", omit it to export all notes.').optional(),
    doc_id: docId(),
    format: oneOf(
      'Format: "markdown" (default), "text", "json" (array of blocks), or "zip" (Markdown files in folders that mirror the notebooks).',
      formats,
    ).optional(),
    version: integer('Version of the note; the latest if omitted. Not for zip.', { min: 1 }).optional(),
    cursor: text('For zip: page cursor; empty for the first page, then next_cursor of the previous page.', {
      max: 2048,
    }).optional(),
  },
  output: {
    note_id: text('Note id; empty for an export of all notes.'),
    doc_id: text('The same as note_id.'),
    title: text('Title of the note.'),
    file_name: text('Suggested file name.'),
    content_type: text('Media type of the file.'),
    encoding: oneOf('Encoding of content: utf8 text or base64.', ['utf8', 'base64']),
    content: text('The file.'),
    version: integer('Version of the note; pass it to update_note as base_version. 0 for zip.'),
    role: oneOf("The caller's role in a shared note; absent for the caller's own.", accessRoles).optional(),
    author_name: text('Name of the author of a shared note.').optional(),
    next_cursor: nextCursor(),
    is_end: isEnd(),
  },
  aliases: { doc_id: 'note_id' },
  async run({ note_id: id, format = 'markdown', version, cursor = '' }, context) {
    if (format === 'zip') return exportZip(context, id ?? '', cursor);
    if (!id) throw fail('invalid_parameter', `note_id: is required for the format ${format}`);
    const note = await requireNote(context, id, 'read');
    const markdown = await context.notes.markdown(id, version);
    if (markdown === undefined) throw fail('invalid_parameter', `version: the note has no version ${version}`);
    const view = format === 'markdown' ? undefined : await context.markdown.parse(markdown, context.caller.userId);
    const [ending, content_type, content] = {
      markdown: ['md', 'text/markdown; charset=utf-8', markdown] as const,
      text: ['txt', 'text/plain; charset=utf-8', view?.text ?? ''] as const,
      json: ['json', 'application/json', view?.blocks ?? ''] as const,
    }[format];
    const file_name = safeFileName(note.title, ending);
    if (format === 'markdown' && version === undefined)
      context.reply.link = {
        uri: expandUriTemplate(noteResource.template, { id }),
        name: file_name,
        mimeType: noteResource.mimeType,
        field: 'content',
      };
    return {
      note_id: id,
      doc_id: id,
      title: note.title,
      file_name,
      content_type,
      encoding: 'utf8' as const,
      content,
      version: version ?? note.version,
      ...(await accessFields(context, note)),
      next_cursor: '',
      is_end: true,
    };
  },
});

async function accessFields(context: Context, { role, userId }: AccessibleNote) {
  if (role === 'own') return {};
  return { role, author_name: (await context.accounts.user(userId))?.name ?? '' };
}

async function exportZip(context: Context, id: string, cursor: string) {
  const only = id === '' ? undefined : await requireNote(context, id, 'read');
  const { bytes, next } = await buildZipPart(context, only, cursor);
  return {
    note_id: id,
    doc_id: id,
    title: only?.title ?? '',
    file_name: safeFileName(only?.title ?? 'notes', 'zip'),
    content_type: 'application/zip',
    encoding: 'base64' as const,
    content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
    version: 0,
    next_cursor: next,
    is_end: next === '',
  };
}
