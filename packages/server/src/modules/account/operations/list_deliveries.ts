import { z } from 'zod';
import { integer, list, oneOf, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import { requireOwnWebhook, webhookId } from '../webhooks/schema.ts';

export const list_deliveries = operation({
  summary: 'Lists what a webhook sent: what waits, and the last 50.',
  effect: 'read',
  input: { webhook_id: webhookId() },
  output: {
    deliveries: list(
      'Newest first.',
      z.object({
        delivery_id: text('The webhook-id header.'),
        type: oneOf('Type.', ['changes', 'test']),
        state: oneOf('"dropped": paused or ended by then.', ['waiting', 'delivered', 'failed', 'dropped']),
        attempts: integer('Attempts.'),
        status: integer('HTTP status of the last; 0: none.'),
        reason: text('Why the last attempt failed.'),
        event_count: integer('Events in it.'),
        create_time: integer('Unix milliseconds.'),
        update_time: integer('Unix milliseconds.'),
      }),
    ),
  },
  async run(input, context) {
    const webhook = await requireOwnWebhook(context, input.webhook_id);
    const found = await context.webhooks.deliveries(webhook.id);
    return {
      deliveries: found.map((delivery) => ({
        delivery_id: delivery.id,
        type: delivery.type,
        state: delivery.state,
        attempts: delivery.attempts,
        status: delivery.status,
        reason: delivery.reason,
        event_count: delivery.events.length,
        create_time: delivery.createdAt,
        update_time: delivery.updatedAt,
      })),
    };
  },
});
