import type { Migration } from './migration.ts';

/**
 * Creates the table of public links, which show a document to anyone who has the link. Only the hash of a link's secret
 * is stored.
 */
export const publicLinks: Migration = {
  number: 18,
  name: 'public links',
  statements: (d) => [
    `CREATE TABLE public_link (
      id ${d.text} PRIMARY KEY, document_id ${d.text} NOT NULL REFERENCES document(id), user_id ${d.text} NOT NULL,
      secret_hash ${d.text} NOT NULL UNIQUE, created_at BIGINT NOT NULL, expires_at BIGINT)`,
    'CREATE INDEX public_link_document ON public_link(document_id, id)',
    'CREATE INDEX public_link_user ON public_link(user_id)',
  ],
};
