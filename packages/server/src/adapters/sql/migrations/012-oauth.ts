import type { Migration } from './migration.ts';

/**
 * Creates the tables for OAuth clients (apps), for the connections that users allow them, and for the accounts of users
 * at external identity providers. Secrets are stored as hashes or encrypted.
 */
export const oauth: Migration = {
  number: 12,
  name: 'connected apps and identities',
  statements: (d) => [
    `CREATE TABLE oauth_client (
      id ${d.text} PRIMARY KEY, kind ${d.text} NOT NULL, name ${d.text} NOT NULL, redirect_uris ${d.text} NOT NULL,
      checked_at BIGINT NOT NULL)`,
    'CREATE INDEX oauth_client_checked ON oauth_client(checked_at)',
    `CREATE TABLE oauth_grant (
      id ${d.text} PRIMARY KEY, user_id ${d.text} NOT NULL REFERENCES user_account(id), client_id ${d.text} NOT NULL,
      client_name ${d.text} NOT NULL, client_host ${d.text} NOT NULL, scopes ${d.text} NOT NULL, resource ${d.text} NOT NULL,
      identity_id ${d.text} NOT NULL, created_at BIGINT NOT NULL, last_used_at BIGINT, ended_at BIGINT)`,
    'CREATE INDEX oauth_grant_user ON oauth_grant(user_id, client_id)',
    'CREATE INDEX oauth_grant_client ON oauth_grant(client_id)',
    `CREATE TABLE oauth_code (
      code_hash ${d.text} PRIMARY KEY, grant_id ${d.text} NOT NULL, redirect_uri ${d.text} NOT NULL,
      challenge ${d.text} NOT NULL, expires_at BIGINT NOT NULL, used_at BIGINT)`,
    'CREATE INDEX oauth_code_grant ON oauth_code(grant_id)',
    `CREATE TABLE oauth_token (
      token_hash ${d.text} PRIMARY KEY, grant_id ${d.text} NOT NULL, kind ${d.text} NOT NULL, scopes ${d.text} NOT NULL,
      expires_at BIGINT NOT NULL, used_at BIGINT)`,
    'CREATE INDEX oauth_token_grant ON oauth_token(grant_id)',
    'CREATE INDEX oauth_token_expires ON oauth_token(expires_at)',
    `CREATE TABLE user_identity (
      id ${d.text} PRIMARY KEY, user_id ${d.text} NOT NULL REFERENCES user_account(id), issuer ${d.text} NOT NULL,
      subject ${d.text} NOT NULL, name ${d.text} NOT NULL, refresh_sealed ${d.text}, created_at BIGINT NOT NULL,
      checked_at BIGINT NOT NULL, UNIQUE (issuer, subject))`,
    'CREATE INDEX user_identity_user ON user_identity(user_id)',
    `ALTER TABLE web_session ADD COLUMN identity_id ${d.text} NOT NULL DEFAULT ''`,
  ],
};
