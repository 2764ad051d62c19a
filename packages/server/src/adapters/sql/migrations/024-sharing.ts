import type { Migration } from './migration.ts';

/**
 * Adds grants to people, groups and everyone. `grantee` is the id of a user or group, or `*` for everyone. `level` is 1
 * for read, 2 for comment and 3 for write.
 *
 * People with access to a base or spreadsheet stay in wiki_member and document_member, which earlier versions read.
 * Public links get a kind, and `document_id` loses its reference to `document`, because it is now the id of an object
 * of any kind.
 */
export const sharing: Migration = {
  number: 24,
  name: 'sharing',
  worksWith: 23,
  statements: (d) => [
    `CREATE TABLE share_grant (
      kind ${d.text} NOT NULL, subject_id ${d.text} NOT NULL, grantee ${d.text} NOT NULL, level BIGINT NOT NULL,
      granted_by ${d.text} NOT NULL, created_at BIGINT NOT NULL, PRIMARY KEY (kind, subject_id, grantee))`,
    'CREATE INDEX share_grant_grantee ON share_grant(grantee, kind, subject_id)',
    `CREATE TABLE user_group (
      id ${d.text} PRIMARY KEY, name ${d.text} NOT NULL UNIQUE, issuer ${d.text} NOT NULL, claim ${d.text} NOT NULL,
      created_at BIGINT NOT NULL)`,
    "CREATE UNIQUE INDEX user_group_claim ON user_group(issuer, claim) WHERE issuer <> ''",
    `CREATE TABLE group_member (
      group_id ${d.text} NOT NULL, user_id ${d.text} NOT NULL, added_at BIGINT NOT NULL, PRIMARY KEY (group_id, user_id))`,
    'CREATE INDEX group_member_user ON group_member(user_id, group_id)',
    "CREATE INDEX notebook_parent ON notebook(parent_id) WHERE parent_id <> ''",
    ...(d.name === 'postgres'
      ? [
          'ALTER TABLE public_link DROP CONSTRAINT public_link_document_id_fkey',
          `ALTER TABLE public_link ADD COLUMN kind ${d.text} NOT NULL DEFAULT 'sheet'`,
        ]
      : [
          `CREATE TABLE public_link_without_reference (
            id ${d.text} PRIMARY KEY, document_id ${d.text} NOT NULL, user_id ${d.text} NOT NULL,
            secret_hash ${d.text} NOT NULL UNIQUE, created_at BIGINT NOT NULL, expires_at BIGINT,
            kind ${d.text} NOT NULL DEFAULT 'sheet')`,
          `INSERT INTO public_link_without_reference (id, document_id, user_id, secret_hash, created_at, expires_at)
            SELECT id, document_id, user_id, secret_hash, created_at, expires_at FROM public_link`,
          'DROP TABLE public_link',
          'ALTER TABLE public_link_without_reference RENAME TO public_link',
          'CREATE INDEX public_link_document ON public_link(document_id, id)',
          'CREATE INDEX public_link_user ON public_link(user_id)',
        ]),
  ],
};
