import type { Services } from '../../../context.ts';
import type { Webhook, WebhookKind } from '../../../ports/webhook-store.ts';

/** A kind of object that webhooks can watch, and the access to it that a caller needs. */
interface WebhookSubject {
  /** The API key must have access to at least one of these modules. */
  readonly modules: readonly string[];
  readonly field: string;
  readonly name: string;
  canView(services: Pick<Services, 'wiki' | 'notes' | 'sheets'>, id: string, userId: string): Promise<boolean>;
}

export const webhookSubjects: Readonly<Record<WebhookKind, WebhookSubject>> = {
  knowledge_base: {
    modules: ['wiki'],
    field: 'knowledge_base_id',
    name: 'knowledge base',
    canView: async ({ wiki }, id, userId) => (await wiki.bases.base(id, userId)) !== undefined,
  },
  notebook: {
    modules: ['note'],
    field: 'notebook_id',
    name: 'notebook',
    canView: async ({ notes }, id, userId) => (await notes.notebook(userId, id)) !== undefined,
  },
  inbox: {
    modules: ['inbox'],
    field: 'inbox',
    name: 'inbox',
    canView: (_services, id, userId) => Promise.resolve(id === userId),
  },
  document: {
    modules: ['sheet', 'manage'],
    field: 'file_id',
    name: 'document',
    async canView({ sheets }, id, userId) {
      const found = await sheets.find(id, userId);
      return found?.role !== undefined && found.document.deletedAt === null;
    },
  },
};

/**
 * Returns the reason why a webhook must end, as a message to its owner; undefined if it may continue. Called before
 * each delivery attempt.
 */
export async function accessEndReason(
  services: Pick<Services, 'accounts' | 'clock' | 'wiki' | 'notes' | 'sheets'>,
  { userId, keyId, kind, subjectId }: Webhook,
): Promise<string | undefined> {
  const user = await services.accounts.user(userId);
  if (user?.state !== 'active') return 'the account of its owner is suspended or closed';
  if (keyId !== '') {
    const key = (await services.accounts.listKeys(userId)).find(({ id }) => id === keyId);
    if (!key || key.revokedAt !== null) return 'the API key it was created with was revoked';
    if (key.expiresAt !== null && key.expiresAt <= services.clock.now())
      return 'the API key it was created with has expired';
  }
  const subject = webhookSubjects[kind];
  if (await subject.canView(services, subjectId, userId)) return undefined;
  return `its owner may no longer see the ${subject.name}, or the ${subject.name} was deleted`;
}
