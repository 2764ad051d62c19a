import { list } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { toWebhookInfo, webhookInfo } from '../webhooks/schema.ts';

export const list_webhooks = operation({
  summary: "Lists the caller's webhooks.",
  effect: 'read',
  input: {},
  output: { webhooks: list('Oldest first.', webhookInfo) },
  async run(_input, { webhooks, caller }) {
    return { webhooks: (await webhooks.list(caller.userId)).map(toWebhookInfo) };
  },
});
