import { defineModule } from '../operation/module.ts';
import { noteErrors } from './errors.ts';
import { append_doc } from './operations/append_doc.ts';
import { get_doc_content } from './operations/get_doc_content.ts';
import { import_doc } from './operations/import_doc.ts';
import { list_note } from './operations/list_note.ts';
import { list_notebook } from './operations/list_notebook.ts';
import { search_note } from './operations/search_note.ts';

export const note = defineModule({
  name: 'note',
  title: 'Notes',
  summary: 'A user\'s own notes in Markdown, in notebooks: made, read, searched, added to, never lost.',
  errors: noteErrors,
  operations: { search_note, list_note, get_doc_content, import_doc, append_doc, list_notebook },
});
