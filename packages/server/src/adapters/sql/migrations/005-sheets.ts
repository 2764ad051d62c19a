import type { Migration } from './migration.ts';

export const sheets: Migration = {
  number: 5,
  name: 'spreadsheets',
  statements: (d) => [
    `CREATE TABLE document (
      id ${d.text} PRIMARY KEY, title ${d.text} NOT NULL, owner_id ${d.text} NOT NULL, version BIGINT NOT NULL,
      created_at BIGINT NOT NULL, modified_at BIGINT NOT NULL, deleted_at BIGINT)`,
    'CREATE INDEX document_owner ON document(owner_id, modified_at, id)',
    `CREATE TABLE document_member (
      document_id ${d.text} NOT NULL REFERENCES document(id), user_id ${d.text} NOT NULL, role ${d.text} NOT NULL,
      PRIMARY KEY (document_id, user_id))`,
    'CREATE INDEX document_member_user ON document_member(user_id, document_id)',
    `CREATE TABLE revision (
      document_id ${d.text} NOT NULL, version BIGINT NOT NULL, user_id ${d.text} NOT NULL, at BIGINT NOT NULL, tool ${d.text} NOT NULL,
      seed BIGINT NOT NULL, mutations ${d.text} NOT NULL, inverse ${d.text} NOT NULL, PRIMARY KEY (document_id, version))`,
    `CREATE TABLE document_snapshot (
      document_id ${d.text} NOT NULL, version BIGINT NOT NULL, blob_key ${d.text} NOT NULL, size BIGINT NOT NULL, sha256 ${d.text} NOT NULL,
      PRIMARY KEY (document_id, version))`,
    `CREATE TABLE sheet_image (
      id ${d.text} PRIMARY KEY, owner_id ${d.text} NOT NULL, blob_key ${d.text} NOT NULL, content_type ${d.text} NOT NULL,
      width BIGINT NOT NULL, height BIGINT NOT NULL, size BIGINT NOT NULL, created_at BIGINT NOT NULL)`,
  ],
};
