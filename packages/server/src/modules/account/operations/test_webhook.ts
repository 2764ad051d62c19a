import { fail } from '../../../kernel/errors.ts';
import { text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { requireOwnWebhook, webhookId } from '../webhooks/schema.ts';
import { writeAndAnswer } from '../../../kernel/idempotent-answer.ts';

const maxTests = 5;

export const test_webhook = operation({
  summary: 'Sends an empty delivery, even when paused; see list_deliveries.',
  effect: 'write',
  input: { webhook_id: webhookId() },
  output: { delivery_id: text('Delivery id.') },
  async run(input, context) {
    const webhook = await requireOwnWebhook(context, input.webhook_id);
    if (webhook.state === 'ended')
      throw fail(
        'conflict',
        `webhook_id: ${webhook.id} has ended (${webhook.reason}); activate it with update_webhook first`,
      );
    const tests = (await context.webhooks.deliveries(webhook.id)).filter(
      ({ type, state }) => type === 'test' && state === 'waiting',
    );
    if (tests.length >= maxTests)
      throw fail(
        'limit_exceeded',
        `webhook_id: ${tests.length} tests of ${webhook.id} are waiting for an answer already`,
      );
    return writeAndAnswer(
      context,
      () => context.webhooks.addTest(context.stamp, webhook),
      (delivery_id) => ({ delivery_id }),
    );
  },
});
