import type { Migration } from './migration.ts';

/**
 * Creates the tables of knowledge bases. `place` is a number that increases with every folder and item added to a base,
 * so that lists can be ordered independently of clocks. The root folder has the base's id and no row in `wiki_folder`.
 *
 * A folder goes to the trash with everything inside it. In each trashed row, `trash_id` is the id of the folder or item
 * that the user deleted. Titles are looked up by a hash, because they may be too long for an index.
 */
export const wiki: Migration = {
  number: 4,
  name: 'knowledge bases',
  statements: (d) => [
    `CREATE TABLE wiki_base (
      id ${d.text} PRIMARY KEY, created_by ${d.text} NOT NULL, name ${d.text} NOT NULL, description ${d.text} NOT NULL,
      cover_url ${d.text} NOT NULL, questions ${d.text} NOT NULL, is_personal BIGINT NOT NULL, item_count BIGINT NOT NULL,
      member_count BIGINT NOT NULL, file_number BIGINT NOT NULL, folder_number BIGINT NOT NULL, last_place BIGINT NOT NULL,
      created_at BIGINT NOT NULL, modified_at BIGINT NOT NULL, deleted_at BIGINT)`,
    'CREATE UNIQUE INDEX wiki_base_personal ON wiki_base(created_by) WHERE is_personal = 1',
    'CREATE INDEX wiki_base_deleted ON wiki_base(deleted_at) WHERE deleted_at IS NOT NULL',
    `CREATE TABLE wiki_member (
      base_id ${d.text} NOT NULL, user_id ${d.text} NOT NULL, role ${d.text} NOT NULL, added_at BIGINT NOT NULL, PRIMARY KEY (base_id, user_id))`,
    'CREATE INDEX wiki_member_user ON wiki_member(user_id)',
    `CREATE TABLE wiki_folder (
      id ${d.text} PRIMARY KEY, base_id ${d.text} NOT NULL, parent_id ${d.text} NOT NULL, name ${d.text} NOT NULL, is_top BIGINT NOT NULL,
      file_number BIGINT NOT NULL, folder_number BIGINT NOT NULL, place BIGINT NOT NULL, created_at BIGINT NOT NULL,
      modified_at BIGINT NOT NULL, deleted_at BIGINT, trash_id ${d.text} NOT NULL DEFAULT '')`,
    'CREATE INDEX wiki_folder_list ON wiki_folder(parent_id, is_top DESC, place DESC) WHERE deleted_at IS NULL',
    'CREATE INDEX wiki_folder_parent ON wiki_folder(parent_id)',
    'CREATE INDEX wiki_folder_base ON wiki_folder(base_id, id)',
    'CREATE INDEX wiki_folder_deleted ON wiki_folder(deleted_at) WHERE deleted_at IS NOT NULL',
    `CREATE TABLE wiki_item (
      id ${d.text} PRIMARY KEY, base_id ${d.text} NOT NULL, folder_id ${d.text} NOT NULL, user_id ${d.text} NOT NULL,
      media_type BIGINT NOT NULL, is_file BIGINT NOT NULL, title ${d.text} NOT NULL, title_hash BIGINT NOT NULL, state ${d.text} NOT NULL,
      reason ${d.text} NOT NULL, kind ${d.text}, file_name ${d.text} NOT NULL, content_type ${d.text} NOT NULL, file_size BIGINT NOT NULL,
      cos_key ${d.text} NOT NULL, content_id ${d.text} NOT NULL, sealed_password ${d.text} NOT NULL, last_modify_time BIGINT NOT NULL,
      version BIGINT NOT NULL, place BIGINT NOT NULL, created_at BIGINT NOT NULL, modified_at BIGINT NOT NULL, deleted_at BIGINT,
      trash_id ${d.text} NOT NULL DEFAULT '')`,
    'CREATE INDEX wiki_item_list ON wiki_item(folder_id, place DESC) WHERE deleted_at IS NULL',
    'CREATE INDEX wiki_item_title ON wiki_item(folder_id, title_hash) WHERE deleted_at IS NULL AND is_file = 1',
    'CREATE INDEX wiki_item_base ON wiki_item(base_id, id)',
    'CREATE INDEX wiki_item_content ON wiki_item(content_id) WHERE media_type IN (11, 12)',
    "CREATE INDEX wiki_item_key ON wiki_item(cos_key) WHERE cos_key <> ''",
    'CREATE INDEX wiki_item_deleted ON wiki_item(deleted_at) WHERE deleted_at IS NOT NULL',
    `CREATE TABLE wiki_text (item_id ${d.text} PRIMARY KEY, details ${d.text} NOT NULL, is_packed BIGINT NOT NULL, body ${d.blob} NOT NULL)`,
    `CREATE TABLE wiki_tag (item_id ${d.text} NOT NULL, tag ${d.text} NOT NULL, PRIMARY KEY (item_id, tag))`,
    `CREATE TABLE wiki_upload (
      media_id ${d.text} PRIMARY KEY, user_id ${d.text} NOT NULL, base_id ${d.text} NOT NULL, cos_key ${d.text} NOT NULL UNIQUE,
      file_name ${d.text} NOT NULL, file_ext ${d.text} NOT NULL, content_type ${d.text} NOT NULL, media_type BIGINT NOT NULL,
      kind ${d.text} NOT NULL, file_size BIGINT NOT NULL, created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL)`,
    'CREATE INDEX wiki_upload_expires ON wiki_upload(expires_at)',
    `CREATE TABLE wiki_garbage (cos_key ${d.text} PRIMARY KEY, due_at BIGINT NOT NULL)`,
    `CREATE TABLE installation_secret (name ${d.text} PRIMARY KEY, value ${d.text} NOT NULL)`,
    `CREATE TABLE wiki_session (
      id ${d.text} PRIMARY KEY, user_id ${d.text} NOT NULL, title ${d.text} NOT NULL, message_count BIGINT NOT NULL, bytes BIGINT NOT NULL,
      created_at BIGINT NOT NULL, modified_at BIGINT NOT NULL)`,
    `CREATE TABLE wiki_session_message (
      session_id ${d.text} NOT NULL, number BIGINT NOT NULL, role ${d.text} NOT NULL, content ${d.text} NOT NULL, at BIGINT NOT NULL,
      PRIMARY KEY (session_id, number))`,
  ],
};
