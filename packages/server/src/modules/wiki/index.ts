import { defineModule } from '../../kernel/module.ts';
import { wikiErrors } from './errors.ts';
import { add_tag } from './extensions/add_tag.ts';
import { append_session } from './extensions/append_session.ts';
import { copy_knowledge } from './extensions/copy_knowledge.ts';
import { create_folder } from './extensions/create_folder.ts';
import { create_knowledge_base } from './extensions/create_knowledge_base.ts';
import { create_session } from './extensions/create_session.ts';
import { delete_knowledge } from './extensions/delete_knowledge.ts';
import { delete_knowledge_base } from './extensions/delete_knowledge_base.ts';
import { delete_session } from './extensions/delete_session.ts';
import { export_knowledge_base } from './extensions/export_knowledge_base.ts';
import { find_duplicates } from './extensions/find_duplicates.ts';
import { get_knowledge_content } from './extensions/get_knowledge_content.ts';
import { get_knowledge_state } from './extensions/get_knowledge_state.ts';
import { get_session } from './extensions/get_session.ts';
import { list_deleted } from './extensions/list_deleted.ts';
import { list_members } from './extensions/list_members.ts';
import { list_tags } from './extensions/list_tags.ts';
import { move_knowledge } from './extensions/move_knowledge.ts';
import { remove_member } from './extensions/remove_member.ts';
import { remove_tag } from './extensions/remove_tag.ts';
import { rename_knowledge } from './extensions/rename_knowledge.ts';
import { replace_knowledge } from './extensions/replace_knowledge.ts';
import { restore_knowledge } from './extensions/restore_knowledge.ts';
import { retry_knowledge } from './extensions/retry_knowledge.ts';
import { search_all } from './extensions/search_all.ts';
import { search_passages } from './extensions/search_passages.ts';
import { set_knowledge_top } from './extensions/set_knowledge_top.ts';
import { set_member } from './extensions/set_member.ts';
import { update_knowledge_base } from './extensions/update_knowledge_base.ts';
import { upload_knowledge } from './extensions/upload_knowledge.ts';
import { view_workbook } from './extensions/view_workbook.ts';
import { add_knowledge } from './operations/add_knowledge.ts';
import { check_repeated_names } from './operations/check_repeated_names.ts';
import { create_media } from './operations/create_media.ts';
import { get_addable_knowledge_base_list } from './operations/get_addable_knowledge_base_list.ts';
import { get_knowledge_base } from './operations/get_knowledge_base.ts';
import { get_knowledge_list } from './operations/get_knowledge_list.ts';
import { get_media_info } from './operations/get_media_info.ts';
import { import_urls } from './operations/import_urls.ts';
import { search_knowledge } from './operations/search_knowledge.ts';
import { search_knowledge_base } from './operations/search_knowledge_base.ts';
import { watchKnowledgeBase } from './events.ts';
import { knowledgeDocument, knowledgeResource } from './mcp-resource.ts';
import { publicReads } from './public-link-reads.ts';

const specified = {
  create_media,
  add_knowledge,
  get_knowledge_base,
  get_knowledge_list,
  search_knowledge,
  search_knowledge_base,
  get_addable_knowledge_base_list,
  check_repeated_names,
  import_urls,
  get_media_info,
};

export const wiki = defineModule({
  name: 'wiki',
  title: 'Knowledge bases',
  chineseTitle: '知识库',
  summary:
    'Shared knowledge bases of files, web pages, notes and AI sessions: add items, read their text, and search it. ' +
    'Searches take mode: "keyword", "meaning" or "both", the default where the installation has an embedding endpoint. ' +
    'update_knowledge_base takes search_by_meaning: false for a base that is not to be sent to it.',
  explainedOnce: ['mode', 'search_by_meaning'],
  errors: wikiErrors,
  watch: watchKnowledgeBase,
  resources: [knowledgeResource],
  documents: [knowledgeDocument],
  searchAll: 'search_all',
  publicReads,
  publicKinds: ['base'],
  specified: Object.keys(specified),
  essential: ['search_all', 'search_passages', 'get_knowledge_content', 'upload_knowledge'],
  core: [
    'search_all',
    'search_passages',
    'search_knowledge_base',
    'get_knowledge_content',
    'upload_knowledge',
    'import_urls',
  ],
  operations: {
    ...specified,
    create_knowledge_base,
    update_knowledge_base,
    delete_knowledge_base,
    create_folder,
    upload_knowledge,
    get_knowledge_content,
    get_knowledge_state,
    find_duplicates,
    view_workbook,
    search_all,
    search_passages,
    rename_knowledge,
    move_knowledge,
    copy_knowledge,
    delete_knowledge,
    restore_knowledge,
    list_deleted,
    set_knowledge_top,
    replace_knowledge,
    retry_knowledge,
    add_tag,
    remove_tag,
    list_tags,
    list_members,
    set_member,
    remove_member,
    export_knowledge_base,
    create_session,
    append_session,
    get_session,
    delete_session,
  },
});
