import type { Migration } from './migration.ts';

/**
 * Creates the table of calls that outlive their request (MCP tasks). `outcome` is the call's result as JSON, and
 * `bytes` is its size. If the node that runs the call has not renewed its lease by `lease_until`, the call counts as
 * lost.
 */
export const tasks: Migration = {
  number: 19,
  name: 'tasks',
  statements: (d) => [
    `CREATE TABLE call_task (
      id ${d.text} PRIMARY KEY, user_id ${d.text} NOT NULL REFERENCES user_account(id), key_id ${d.text} NOT NULL,
      operation ${d.text} NOT NULL, state ${d.text} NOT NULL, message ${d.text} NOT NULL, outcome ${d.text} NOT NULL,
      bytes BIGINT NOT NULL, cancel_requested BIGINT NOT NULL, lease_until BIGINT NOT NULL,
      created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, expires_at BIGINT NOT NULL)`,
    'CREATE INDEX call_task_user ON call_task(user_id, expires_at)',
    'CREATE INDEX call_task_expiry ON call_task(expires_at)',
  ],
};
