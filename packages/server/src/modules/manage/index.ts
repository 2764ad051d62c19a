import { defineModule } from '../../kernel/module.ts';
import { sheetErrors } from '../sheet/errors.ts';
import { async_import } from './legacy/async_import.ts';
import { export_progress } from './legacy/export_progress.ts';
import { folder_list } from './legacy/folder_list.ts';
import { get_privilege } from './legacy/get_privilege.ts';
import { import_progress } from './legacy/import_progress.ts';
import { move_file } from './legacy/move_file.ts';
import { recent_online_file } from './legacy/recent_online_file.ts';
import { rename_file_title } from './legacy/rename_file_title.ts';
import { set_privilege } from './legacy/set_privilege.ts';
import { announce } from './operations/announce.ts';
import { copy_file } from './operations/copy_file.ts';
import { create_file } from './operations/create_file.ts';
import { create_public_link } from './operations/create_public_link.ts';
import { delete_file } from './operations/delete_file.ts';
import { end_public_link } from './operations/end_public_link.ts';
import { export_file } from './operations/export_file.ts';
import { import_file } from './operations/import_file.ts';
import { list_files } from './operations/list_files.ts';
import { list_public_links } from './operations/list_public_links.ts';
import { pre_import } from './operations/pre_import.ts';
import { query_file_info } from './operations/query_file_info.ts';
import { rename_file } from './operations/rename_file.ts';
import { restore_file } from './operations/restore_file.ts';
import { search_file } from './operations/search_file.ts';
import { share_file } from './operations/share_file.ts';
import { tag_file } from './operations/tag_file.ts';
import { upload_image } from './operations/upload_image.ts';
import { fileResource } from './mcp-resource.ts';

export const manage = defineModule({
  name: 'manage',
  title: 'Documents',
  chineseTitle: '文档',
  summary:
    'Spreadsheet files: create, list, search, rename, copy, delete, share, import and export. Use the sheet module to ' +
    "work with their contents. search_file takes mode, as the wiki's searches do.",
  explainedOnce: ['mode'],
  errors: sheetErrors,
  bearerKeys: true,
  resources: [fileResource],
  essential: ['create_file', 'list_files', 'import_file'],
  core: ['create_file', 'list_files', 'import_file'],
  operations: {
    create_file,
    list_files,
    search_file,
    query_file_info,
    rename_file,
    copy_file,
    delete_file,
    restore_file,
    share_file,
    tag_file,
    create_public_link,
    list_public_links,
    end_public_link,
    announce,
    pre_import,
    import_file,
    export_file,
    upload_image,
    folder_list,
    recent_online_file,
    rename_file_title,
    move_file,
    get_privilege,
    set_privilege,
    async_import,
    import_progress,
    export_progress,
  },
});
