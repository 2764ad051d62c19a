import type { Migration } from './migration.ts';

/**
 * Creates the tables of webhooks, which report rows of the audit log to a URL. `after_audit` is the id of the newest
 * audit row at the time the webhook was activated; only later rows are reported. `webhook_progress` has one row: the
 * last audit row that was read, and the lower ids for which there was no row yet, because their transactions may still
 * be running.
 */
export const webhooks: Migration = {
  number: 17,
  name: 'webhooks',
  statements: (d) => [
    `CREATE TABLE webhook (
      id ${d.text} PRIMARY KEY, user_id ${d.text} NOT NULL REFERENCES user_account(id), key_id ${d.text} NOT NULL,
      kind ${d.text} NOT NULL, subject_id ${d.text} NOT NULL, url ${d.text} NOT NULL, secret_sealed ${d.text} NOT NULL,
      state ${d.text} NOT NULL, reason ${d.text} NOT NULL, failures BIGINT NOT NULL, missed BIGINT NOT NULL,
      after_audit BIGINT NOT NULL, created_at BIGINT NOT NULL)`,
    'CREATE INDEX webhook_user ON webhook(user_id, id)',
    'CREATE INDEX webhook_subject ON webhook(subject_id)',
    `CREATE TABLE webhook_delivery (
      id ${d.text} PRIMARY KEY, webhook_id ${d.text} NOT NULL, type ${d.text} NOT NULL, state ${d.text} NOT NULL,
      events ${d.text} NOT NULL, missed BIGINT NOT NULL, attempts BIGINT NOT NULL, status BIGINT NOT NULL,
      reason ${d.text} NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL)`,
    'CREATE INDEX webhook_delivery_of ON webhook_delivery(webhook_id, id)',
    `CREATE TABLE webhook_progress (one BIGINT PRIMARY KEY, audit_id BIGINT NOT NULL, missing ${d.text} NOT NULL)`,
  ],
};
