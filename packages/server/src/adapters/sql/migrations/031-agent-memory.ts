import type { Migration } from './migration.ts';

/** Adds what agents note for later. `app_id` names the app or the API key that noted it. */
export const agentMemory: Migration = {
  number: 31,
  name: 'memory of agents',
  worksWith: 23,
  statements: (d) => [
    `CREATE TABLE agent_memory (
      id ${d.text} PRIMARY KEY, user_id ${d.text} NOT NULL, app_id ${d.text} NOT NULL, app_name ${d.text} NOT NULL,
      text ${d.text} NOT NULL, about ${d.text} NOT NULL, bytes BIGINT NOT NULL, created_at BIGINT NOT NULL)`,
    'CREATE INDEX agent_memory_user ON agent_memory(user_id, app_id, id)',
  ],
};
