import { z } from 'zod';
import { emptyObject } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { requireOwnWebhook, webhookId } from '../webhooks/schema.ts';
import { writeAndAnswer } from '../../../kernel/idempotent-answer.ts';

export const delete_webhook = operation({
  name: 'delete_webhook',
  summary: 'Deletes a webhook and its deliveries.',
  effect: 'destroy',
  input: z.object({ webhook_id: webhookId() }),
  output: emptyObject,
  async run(input, context) {
    const webhook = await requireOwnWebhook(context, input.webhook_id);
    return writeAndAnswer(
      context,
      () => context.webhooks.remove(context.stamp, webhook.userId, webhook.id),
      () => ({}),
    );
  },
});
