import type { Migration } from './migration.ts';

export const accounts: Migration = {
  number: 1,
  name: 'accounts, audit, jobs',
  statements: (d) => [
    `CREATE TABLE user_account (
      id ${d.text} PRIMARY KEY, name ${d.text} NOT NULL UNIQUE, role ${d.text} NOT NULL, state ${d.text} NOT NULL,
      password_hash ${d.text}, quota_bytes BIGINT, created_at BIGINT NOT NULL)`,
    `CREATE TABLE api_key (
      id ${d.text} PRIMARY KEY, user_id ${d.text} NOT NULL REFERENCES user_account(id), client_id ${d.text} NOT NULL,
      secret_hash ${d.text} NOT NULL UNIQUE, name ${d.text} NOT NULL, modules ${d.text} NOT NULL, access ${d.text} NOT NULL,
      created_at BIGINT NOT NULL, expires_at BIGINT, last_used_at BIGINT, revoked_at BIGINT)`,
    'CREATE INDEX api_key_user ON api_key(user_id)',
    `CREATE TABLE web_session (
      id ${d.text} PRIMARY KEY, user_id ${d.text} NOT NULL REFERENCES user_account(id), token_hash ${d.text} NOT NULL UNIQUE,
      created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL)`,
    'CREATE INDEX web_session_user ON web_session(user_id)',
    `CREATE TABLE sign_in_token (
      token_hash ${d.text} PRIMARY KEY, user_id ${d.text} NOT NULL REFERENCES user_account(id), expires_at BIGINT NOT NULL)`,
    `CREATE TABLE audit (
      id ${d.autoId}, at BIGINT NOT NULL, user_id ${d.text} NOT NULL, key_id ${d.text} NOT NULL,
      operation ${d.text} NOT NULL, target ${d.text} NOT NULL, request_id ${d.text} NOT NULL)`,
    'CREATE INDEX audit_user ON audit(user_id, id)',
    `CREATE TABLE idempotency (
      user_id ${d.text} NOT NULL, key ${d.text} NOT NULL, operation ${d.text} NOT NULL, fingerprint ${d.text} NOT NULL,
      answer ${d.text}, at BIGINT NOT NULL, PRIMARY KEY (user_id, key))`,
    'CREATE INDEX idempotency_at ON idempotency(at)',
    `CREATE TABLE job (
      id ${d.text} PRIMARY KEY, kind ${d.text} NOT NULL, subject ${d.text} NOT NULL, payload ${d.text} NOT NULL,
      state ${d.text} NOT NULL, attempts BIGINT NOT NULL, max_attempts BIGINT NOT NULL, run_at BIGINT NOT NULL,
      lease_until BIGINT, worker ${d.text}, reason ${d.text} NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL)`,
    'CREATE INDEX job_due ON job(state, run_at, id)',
    'CREATE INDEX job_subject ON job(kind, subject)',
  ],
};
