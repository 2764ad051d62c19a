import { operation } from '../../../kernel/operation.ts';
import { requireOwnWebhook, webhookId } from '../webhooks/schema.ts';
import { writeAndAnswer } from '../../../kernel/idempotent-answer.ts';

export const delete_webhook = operation({
  summary: 'Deletes a webhook and its deliveries.',
  effect: 'destroy',
  input: { webhook_id: webhookId() },
  output: {},
  async run(input, context) {
    const webhook = await requireOwnWebhook(context, input.webhook_id);
    return writeAndAnswer(context, () => context.webhooks.remove(context.stamp, webhook.userId, webhook.id));
  },
});
