import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { fail } from '../../../kernel/errors.ts';
import { integer, oneOf, text } from '../../../kernel/field-schemas.ts';
import { formatValue } from '../../../kernel/parse-input.ts';
import type { Webhook, WebhookKind } from '../../../ports/webhook-store.ts';
import { webhookSubjects } from './subject-access.ts';

const maxUrlLength = 2048;

export const webhookId = () => text('From list_webhooks.', { min: 1, max: 64 });
export const webhookUrl = () => text('http(s) address.', { min: 1, max: maxUrlLength });

export const webhookInfo = z.object({
  webhook_id: text('Webhook id.'),
  kind: oneOf('What it listens to.', ['knowledge_base', 'notebook', 'document', 'inbox']),
  subject_id: text('Id of what it listens to.'),
  url: text('Address.'),
  state: oneOf('"ended": access ended.', ['active', 'paused', 'ended']),
  reason: text('Why it is not active.'),
  create_time: integer('Unix milliseconds.'),
});

export function toWebhookInfo(webhook: Webhook): z.input<typeof webhookInfo> {
  return {
    webhook_id: webhook.id,
    kind: webhook.kind,
    subject_id: webhook.subjectId,
    url: webhook.url,
    state: webhook.state,
    reason: webhook.reason,
    create_time: webhook.createdAt,
  };
}

export async function requireOwnWebhook({ webhooks, caller }: Context, id: string): Promise<Webhook> {
  const webhook = await webhooks.webhook(id);
  if (webhook?.userId !== caller.userId) throw fail('not_found', `webhook_id: there is no webhook ${formatValue(id)}`);
  return webhook;
}

/**
 * Throws if the server may not send deliveries to this URL, for example because it has a private address. Host names
 * are resolved and checked later, when a delivery is sent.
 */
export function refusePrivateUrl({ web }: Context, url: string): void {
  if (!web.mayFetch(url))
    throw fail(
      'invalid_parameter',
      `url: must be an http or https address on the internet, without user name and password (got ${formatValue(url)}); ` +
        'the owner of this installation can allow private ones with SHEAF_FETCH_ALLOW',
    );
}

/** Throws if the caller's account or API key has no access to the object that the webhook watches. */
export async function refuseInaccessible(context: Context, kind: WebhookKind, id: string): Promise<void> {
  const { modules, field, name, canView } = webhookSubjects[kind];
  const { caller } = context;
  if (!caller.modules.includes('*') && !modules.some((module) => caller.modules.includes(module)))
    throw fail('no_permission', `${field}: this API key has no access to the module ${modules.join(' or ')}`);
  if (!(await canView(context, id, caller.userId)))
    throw fail('not_found', `${field}: there is no ${name} ${formatValue(id)} that you may see`);
}

/**
 * Returns the id of the API key with which the caller creates or reactivates a webhook; '' if the caller uses no API
 * key. The webhook ends when this key is revoked or expires.
 */
export function callerKeyId({ caller }: Context): string {
  return caller.via === 'key' ? caller.keyId : '';
}
