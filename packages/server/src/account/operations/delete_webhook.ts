import { z } from 'zod';
import { nothing } from '../../operation/fields.ts';
import { operation } from '../../operation/operation.ts';
import { ownWebhook, webhookId } from '../webhooks/model.ts';
import { answered } from '../../operation/stored-answer.ts';

export const delete_webhook = operation({
  name: 'delete_webhook',
  summary: 'Deletes a webhook and its deliveries.',
  effect: 'destroy',
  input: z.object({ webhook_id: webhookId() }),
  output: nothing,
  async run(input, context) {
    const webhook = await ownWebhook(context, input.webhook_id);
    return answered(
      context,
      () => context.webhooks.remove(context.stamp, webhook.userId, webhook.id),
      () => ({}),
    );
  },
});
