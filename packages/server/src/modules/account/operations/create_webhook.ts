import { newId } from '../../../lib/ids.ts';
import { fail } from '../../../kernel/errors.ts';
import { flag, text } from '../../../kernel/field-schemas.ts';
import { quotaErrorMessage } from '../../../kernel/quota-message.ts';
import { operation } from '../../../kernel/operation.ts';
import { QuotaExceeded } from '../../../ports/blob-accounting.ts';
import { WebhookRefused, type WebhookKind } from '../../../ports/webhook-store.ts';
import {
  callerKeyId,
  refuseInaccessible,
  refusePrivateUrl,
  toWebhookInfo,
  webhookInfo,
  webhookUrl,
} from '../webhooks/schema.ts';
import { newWebhookSecret } from '../webhooks/signature.ts';
import { writeAndAnswer } from '../../../kernel/idempotent-answer.ts';

export const create_webhook = operation({
  summary:
    'Tells an address what changes in a knowledge base, notebook or document: ids, signed (Standard Webhooks), retried; ' +
    "or that something new is in the caller's inbox. The secret is shown only here.\n" +
    'Example: {"url":"https://example.com/hook","file_id":"file_x"}',
  effect: 'write',
  secretAnswer: true,
  input: {
    url: webhookUrl(),
    knowledge_base_id: text('One of the three ids, or inbox.', { min: 1, max: 80 }).optional(),
    notebook_id: text('Without notebooks in it.', { min: 1, max: 80 }).optional(),
    file_id: text('Document.', { min: 1, max: 80 }).optional(),
    inbox: flag("true: the caller's inbox; deliveries name nothing, list_inbox says what is new.").optional(),
  },
  output: {
    webhook: webhookInfo.meta({ description: 'The webhook.' }),
    secret: text('Signing secret (whsec_...).'),
  },
  async run(input, context) {
    const { webhooks, webhookSecrets, caller, stamp, config } = context;
    const given = (
      [
        ['knowledge_base', input.knowledge_base_id],
        ['notebook', input.notebook_id],
        ['document', input.file_id],
        ['inbox', input.inbox ? caller.userId : undefined],
      ] as [WebhookKind, string | undefined][]
    ).filter(([, id]) => id !== undefined);
    if (given.length !== 1)
      throw fail(
        'invalid_parameter',
        `knowledge_base_id, notebook_id, file_id, inbox: pass exactly one of them (got ${given.length})`,
      );
    const [kind, subjectId] = given[0] as [WebhookKind, string];
    refusePrivateUrl(context, input.url);
    await refuseInaccessible(context, kind, subjectId);
    const secret = newWebhookSecret();
    const webhook = {
      id: newId('webhook'),
      userId: caller.userId,
      keyId: callerKeyId(context),
      kind,
      subjectId,
      url: input.url,
      sealedSecret: webhookSecrets.seal(secret),
      state: 'active',
      reason: '',
      createdAt: stamp.at,
    } as const;
    try {
      return await writeAndAnswer(
        context,
        () => webhooks.create(stamp, webhook, { quotaBytes: config.SHEAF_QUOTA_BYTES }),
        () => ({ webhook: toWebhookInfo(webhook), secret }),
      );
    } catch (error) {
      if (error instanceof QuotaExceeded) throw fail('limit_exceeded', quotaErrorMessage(error));
      if (!(error instanceof WebhookRefused)) throw error;
      const { count, limit } = error.why;
      throw fail('limit_exceeded', `you have ${count} webhooks, at most ${limit}; delete one first`);
    }
  },
});
