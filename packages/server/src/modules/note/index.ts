import { defineModule } from '../../kernel/module.ts';
import { noteErrors } from './errors.ts';
import { add_notebook } from './extensions/add_notebook.ts';
import { backlinks } from './extensions/backlinks.ts';
import { browse_notes } from './extensions/browse_notes.ts';
import { comment_note } from './extensions/comment_note.ts';
import { decide_suggestion } from './extensions/decide_suggestion.ts';
import { delete_note } from './extensions/delete_note.ts';
import { delete_note_comment } from './extensions/delete_note_comment.ts';
import { delete_notebook } from './extensions/delete_notebook.ts';
import { diff_note } from './extensions/diff_note.ts';
import { edit_note } from './extensions/edit_note.ts';
import { export_note } from './extensions/export_note.ts';
import { forget } from './extensions/forget.ts';
import { get_note_history } from './extensions/get_note_history.ts';
import { list_deleted_notes } from './extensions/list_deleted_notes.ts';
import { list_links } from './extensions/list_links.ts';
import { list_memories } from './extensions/list_memories.ts';
import { list_note_comments } from './extensions/list_note_comments.ts';
import { list_suggestions } from './extensions/list_suggestions.ts';
import { list_tasks } from './extensions/list_tasks.ts';
import { move_notes } from './extensions/move_notes.ts';
import { read_note } from './extensions/read_note.ts';
import { recall } from './extensions/recall.ts';
import { remember } from './extensions/remember.ts';
import { rename_note } from './extensions/rename_note.ts';
import { rename_notebook } from './extensions/rename_notebook.ts';
import { replace_in_notes } from './extensions/replace_in_notes.ts';
import { restore_note } from './extensions/restore_note.ts';
import { restore_note_version } from './extensions/restore_note_version.ts';
import { set_task } from './extensions/set_task.ts';
import { sync_note } from './extensions/sync_note.ts';
import { tag_note } from './extensions/tag_note.ts';
import { undo_note_change } from './extensions/undo_note_change.ts';
import { update_note } from './extensions/update_note.ts';
import { list_note_by_folder_id } from './legacy/list_note_by_folder_id.ts';
import { list_note_folder_by_cursor } from './legacy/list_note_folder_by_cursor.ts';
import { search_note_book } from './legacy/search_note_book.ts';
import { append_doc } from './operations/append_doc.ts';
import { get_doc_content } from './operations/get_doc_content.ts';
import { import_doc } from './operations/import_doc.ts';
import { list_note } from './operations/list_note.ts';
import { list_notebook } from './operations/list_notebook.ts';
import { search_note } from './operations/search_note.ts';
import { watchNotes } from './events.ts';
import { noteDocument, noteResource } from './mcp-resource.ts';
import { publicReads } from './public-link-reads.ts';

const specified = { search_note, list_note, get_doc_content, import_doc, append_doc, list_notebook };

export const note = defineModule({
  name: 'note',
  title: 'Notes',
  chineseTitle: '笔记',
  summary:
    "A user's own Markdown notes, organized in notebooks: create, read, edit in parts, search, link, tag, and restore.",
  errors: noteErrors,
  titledFields: { folder_id: 'notebook', parent_folder_id: 'notebook' },
  watch: watchNotes,
  resources: [noteResource],
  documents: [noteDocument],
  publicReads,
  publicKinds: ['note', 'notebook'],
  specified: Object.keys(specified),
  core: ['search_note', 'get_doc_content', 'import_doc', 'append_doc', 'read_note', 'edit_note', 'remember', 'recall'],
  operations: {
    ...specified,
    browse_notes,
    read_note,
    edit_note,
    replace_in_notes,
    undo_note_change,
    diff_note,
    list_tasks,
    set_task,
    list_links,
    backlinks,
    tag_note,
    comment_note,
    delete_note_comment,
    list_note_comments,
    rename_note,
    update_note,
    delete_note,
    restore_note,
    list_deleted_notes,
    move_notes,
    add_notebook,
    rename_notebook,
    delete_notebook,
    sync_note,
    list_suggestions,
    decide_suggestion,
    export_note,
    get_note_history,
    restore_note_version,
    remember,
    recall,
    list_memories,
    forget,
    search_note_book,
    list_note_folder_by_cursor,
    list_note_by_folder_id,
  },
});
