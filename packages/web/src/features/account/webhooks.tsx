import { useQuery } from '@tanstack/react-query';
import { Ellipsis, ListChecks, Pause, Play, Plus, RotateCw, Send, Trash2, Webhook } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { queryClient, sheaf } from '../../lib/api-client.ts';
import { formatDateTime } from '../../lib/format.ts';
import { useLanguage, useTranslation, type MessageKey } from '../../i18n/use-translation.ts';
import { confirmAction } from '../../ui/prompt-dialog.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Section } from '../../ui/page-layout.tsx';
import { EmptyState, SkeletonLines, queryPlaceholder } from '../../ui/status-placeholders.tsx';
import { showToast, showErrorToast } from '../../ui/toast.tsx';
import { SecretDialog } from './account-parts.tsx';
import { NewWebhookDialog, useWebhookSubjects } from './new-webhook-dialog.tsx';

type WebhookInfo = Awaited<ReturnType<typeof sheaf.account.list_webhooks>>['webhooks'][number];

const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['webhooks'] });

export function WebhooksSection(): ReactNode {
  const text = useTranslation();
  const hooks = useQuery({ queryKey: ['webhooks'], queryFn: () => sheaf.account.list_webhooks({}) });
  const [making, setMaking] = useState(false);
  const [secret, setSecret] = useState<string>();
  return (
    <Section
      title={text('webhooks')}
      actions={
        <Button variant="primary" onClick={() => setMaking(true)}>
          <Plus size={16} /> {text('newWebhook')}
        </Button>
      }
    >
      <p className="text-soft">{text('webhooksLead')}</p>
      {queryPlaceholder(hooks, <SkeletonLines count={2} />, true) ??
        (hooks.data?.webhooks.length === 0 ? (
          <EmptyState icon={<Webhook />} title={text('noWebhooks')}>
            {text('noWebhooksHint')}
          </EmptyState>
        ) : (
          <ul className="divide-y divide-line rounded-xl border border-line bg-raised">
            {hooks.data?.webhooks.map((hook) => (
              <WebhookRow key={hook.webhook_id} hook={hook} onSecret={setSecret} />
            ))}
          </ul>
        ))}
      {making && (
        <NewWebhookDialog
          onClose={() => setMaking(false)}
          onMade={(made) => {
            setMaking(false);
            setSecret(made);
            refresh().catch(showErrorToast);
          }}
        />
      )}
      {secret !== undefined && (
        <SecretDialog
          title={text('webhookSecret')}
          hint={text('webhookSecretHint')}
          isOnce
          secrets={{ [text('webhookSecret')]: secret }}
          onClose={() => setSecret(undefined)}
        />
      )}
    </Section>
  );
}

const states: Record<WebhookInfo['state'], MessageKey> = {
  active: 'webhookActive',
  paused: 'webhookPaused',
  ended: 'webhookEnded',
};

function WebhookRow({ hook, onSecret }: { hook: WebhookInfo; onSecret: (secret: string) => void }): ReactNode {
  const text = useTranslation();
  const subjects = useWebhookSubjects();
  const [looking, setLooking] = useState(false);
  const id = hook.webhook_id;
  const isActive = hook.state === 'active';
  const update = async (change: { active?: boolean; new_secret?: boolean }): Promise<void> => {
    const { secret } = await sheaf.account.update_webhook({ webhook_id: id, ...change });
    await refresh();
    if (secret !== undefined) onSecret(secret);
  };
  const test = async (): Promise<void> => {
    await sheaf.account.test_webhook({ webhook_id: id });
    setLooking(true);
  };
  const remove = async (): Promise<void> => {
    const sure = await confirmAction({
      title: text('deleteWebhook'),
      explanation: text('deleteWebhookHint', { url: hook.url }),
      action: text('delete'),
      danger: true,
    });
    if (!sure) return;
    await sheaf.account.delete_webhook({ webhook_id: id });
    await refresh();
    showToast(text('webhookDeleted'));
  };
  return (
    <li className="flex items-center justify-between gap-4 px-4 py-3">
      <div className="flex min-w-0 flex-col">
        <span className="truncate font-medium">{hook.url}</span>
        <span className="truncate text-sm text-soft">{subjects.nameOf(hook.kind, hook.subject_id)}</span>
        <span className={`text-sm ${isActive ? 'text-faint' : 'text-warn'}`}>
          {text(states[hook.state])}
          {hook.reason !== '' && `: ${hook.reason}`}
        </span>
      </div>
      <div className="flex shrink-0 items-center gap-1">
        <Button variant="quiet" className="hidden sm:inline-flex" onClick={() => setLooking(true)}>
          {text('deliveries')}
        </Button>
        <Menu
          trigger={
            <IconButton label={text('actionsFor', { name: hook.url })}>
              <Ellipsis size={18} />
            </IconButton>
          }
          entries={[
            { label: text('deliveries'), icon: <ListChecks size={15} />, run: () => setLooking(true) },
            hook.state !== 'ended' && { label: text('sendTest'), icon: <Send size={15} />, run: test },
            {
              label: text(isActive ? 'pause' : 'activate'),
              icon: isActive ? <Pause size={15} /> : <Play size={15} />,
              run: () => update({ active: !isActive }),
            },
            { label: text('newSecret'), icon: <RotateCw size={15} />, run: () => update({ new_secret: true }) },
            null,
            { label: text('delete'), icon: <Trash2 size={15} />, danger: true, run: remove },
          ]}
        />
      </div>
      {looking && <DeliveriesDialog hook={hook} onClose={() => setLooking(false)} />}
    </li>
  );
}

const deliveryStates: Record<'waiting' | 'delivered' | 'failed' | 'dropped', MessageKey> = {
  waiting: 'waiting',
  delivered: 'delivered',
  failed: 'deliveryFailed',
  dropped: 'deliveryDropped',
};

function DeliveriesDialog({ hook, onClose }: { hook: WebhookInfo; onClose: () => void }): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  const found = useQuery({
    queryKey: ['deliveries', hook.webhook_id],
    queryFn: () => sheaf.account.list_deliveries({ webhook_id: hook.webhook_id }),
    refetchInterval: (query) =>
      query.state.data?.deliveries.some((one) => one.state === 'waiting') === true ? 1000 : 5000,
  });
  return (
    <Dialog title={text('deliveries')} onClose={onClose} width="medium">
      <p className="truncate text-sm text-soft">{hook.url}</p>
      {queryPlaceholder(found, <SkeletonLines count={3} />) ??
        (found.data?.deliveries.length === 0 ? (
          <p className="py-6 text-center text-soft">{text('noDeliveries')}</p>
        ) : (
          <ul className="divide-y divide-line rounded-xl border border-line" aria-label={text('deliveries')}>
            {found.data?.deliveries.map((delivery) => (
              <li key={delivery.delivery_id} className="flex flex-col px-4 py-2">
                <span className="flex justify-between gap-3">
                  <span className={delivery.state === 'failed' ? 'font-medium text-danger' : 'font-medium'}>
                    {text(deliveryStates[delivery.state])}
                    {delivery.status > 0 && ` (${delivery.status})`}
                  </span>
                  <span className="text-sm text-faint">{formatDateTime(delivery.create_time, language)}</span>
                </span>
                <span className="text-sm text-soft">
                  {delivery.type === 'test'
                    ? text('testDelivery')
                    : text('eventCount', { count: delivery.event_count })}
                  {delivery.attempts > 1 && ` · ${text('attemptCount', { count: delivery.attempts })}`}
                </span>
                {delivery.reason !== '' && <span className="text-sm text-danger">{delivery.reason}</span>}
              </li>
            ))}
          </ul>
        ))}
    </Dialog>
  );
}
