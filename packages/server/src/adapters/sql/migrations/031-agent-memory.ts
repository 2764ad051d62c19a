import type { Migration } from './migration.ts';

/**
 * Adds the memory of agents: texts that an agent stores for later. `app_id` is the id of the app or API key that stored
 * the text.
 */
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
