import { z } from 'zod';
import { list, nothing } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { toWebhookInfo, webhookInfo } from '../webhooks/model.ts';

export const list_webhooks = operation({
  name: 'list_webhooks',
  summary: "Lists the caller's webhooks.",
  effect: 'read',
  input: nothing,
  output: z.object({ webhooks: list('Oldest first.', webhookInfo) }),
  async run(_input, { webhooks, caller }) {
    return { webhooks: (await webhooks.list(caller.userId)).map(toWebhookInfo) };
  },
});
