import { flag, text } from '../../../kernel/field-schemas.ts';
import { operation } from '../../../kernel/operation.ts';
import {
  callerKeyId,
  requireOwnWebhook,
  refuseInaccessible,
  refusePrivateUrl,
  toWebhookInfo,
  webhookId,
  webhookInfo,
  webhookUrl,
} from '../webhooks/schema.ts';
import { newWebhookSecret } from '../webhooks/signature.ts';
import { writeAndAnswer } from '../../../kernel/idempotent-answer.ts';

export const update_webhook = operation({
  summary: 'Changes, pauses or activates a webhook.',
  effect: 'write',
  secretAnswer: true,
  input: {
    webhook_id: webhookId(),
    url: webhookUrl().optional(),
    active: flag('false pauses.').optional(),
    new_secret: flag('Replaces the secret.').optional(),
  },
  output: {
    webhook: webhookInfo.meta({ description: 'The webhook.' }),
    secret: text('With new_secret.').optional(),
  },
  async run(input, context) {
    const { webhooks, webhookSecrets, stamp, caller } = context;
    const webhook = await requireOwnWebhook(context, input.webhook_id);
    if (input.url !== undefined) refusePrivateUrl(context, input.url);
    // Changing the URL or reactivating the webhook requires that the caller still has access to the watched object.
    if (input.active === true || input.url !== undefined)
      await refuseInaccessible(context, webhook.kind, webhook.subjectId);
    const secret = input.new_secret ? newWebhookSecret() : undefined;
    const change = {
      ...(input.url === undefined ? {} : { url: input.url }),
      ...(secret === undefined ? {} : { sealedSecret: webhookSecrets.seal(secret) }),
      ...(input.active === undefined ? {} : { state: input.active ? ('active' as const) : ('paused' as const) }),
      ...(input.active === undefined ? {} : { reason: '' }),
      ...(input.active ? { keyId: callerKeyId(context) } : {}),
    };
    return writeAndAnswer(
      context,
      () => webhooks.change(stamp, caller.userId, webhook.id, change),
      () => ({
        webhook: toWebhookInfo({ ...webhook, ...change }),
        ...(secret === undefined ? {} : { secret }),
      }),
    );
  },
});
