import { useQuery } from '@tanstack/react-query';
import { Link2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { queryClient, sheaf } from '../../lib/api-client.ts';
import { formatDateTime } from '../../lib/format.ts';
import { useLanguage, useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/form-fields.tsx';
import { Section, CodeSnippet } from '../../ui/page-layout.tsx';
import { ErrorState, SkeletonLines } from '../../ui/status-placeholders.tsx';
import { showErrorToast } from '../../ui/toast.tsx';

const dayMs = 24 * 60 * 60 * 1000;
const lengths = [1, 7, 30, 90] as const;
const usualDays = 30;

interface PublicLinksProps {
  kind: 'note' | 'notebook' | 'base' | 'sheet';
  id: string;
}

/**
 * Shows the public links of a note, notebook, knowledge base or spreadsheet. The user can copy their URLs, create new
 * links and end existing ones.
 */
export function PublicLinks({ kind, id }: PublicLinksProps): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  const queryKey = ['public-links', kind, id];
  const links = useQuery({
    queryKey,
    queryFn: () => sheaf.sharing.list_published({ kind, id }),
    staleTime: 0,
  });
  const [days, setDays] = useState(usualDays);
  const [address, setAddress] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const create = async (): Promise<void> => {
    setBusy(true);
    try {
      const made = await sheaf.sharing.publish({
        kind,
        id,
        ...(days === 0 ? {} : { expire_time: Date.now() + days * dayMs }),
      });
      setAddress(new URL(made.url).hash);
      await queryClient.invalidateQueries({ queryKey });
    } finally {
      setBusy(false);
    }
  };
  const end = async (linkId: string): Promise<void> => {
    await sheaf.sharing.unpublish({ kind, id, link_id: linkId });
    setAddress(undefined);
    await queryClient.invalidateQueries({ queryKey });
  };
  return (
    <Section title={text('publicLinks')}>
      <p className="text-sm text-soft">{text(kind === 'sheet' ? 'publicLinksHint' : 'publicTextLinksHint')}</p>
      <div className="flex flex-wrap items-end gap-2">
        <div className="w-40">
          <Field label={text('linkEnds')}>
            {(ids) => (
              <Select {...ids} value={days} onChange={(event) => setDays(Number(event.target.value))}>
                {lengths.map((count) => (
                  <option key={count} value={count}>
                    {text('linkInDays', { count })}
                  </option>
                ))}
                <option value={0}>{text('linkNever')}</option>
              </Select>
            )}
          </Field>
        </div>
        <Button disabled={isBusy} onClick={() => void create().catch(showErrorToast)}>
          <Link2 size={15} /> {text('createLink')}
        </Button>
      </div>
      {address !== undefined && (
        <div role="status">
          <CodeSnippet code={`${location.origin}/p${address}`} label={text('publicLinkAddress')} />
        </div>
      )}
      {links.isPending ? (
        <SkeletonLines count={1} />
      ) : links.error ? (
        <ErrorState error={links.error} />
      ) : links.data.links.length === 0 ? (
        <p className="text-sm text-faint">{text('noPublicLinks')}</p>
      ) : (
        <ul className="divide-y divide-line rounded-xl border border-line bg-raised" aria-label={text('publicLinks')}>
          {links.data.links.map((link) => {
            const time = formatDateTime(link.create_time, language);
            return (
              <li key={link.link_id} className="flex min-h-12 items-center justify-between gap-3 px-4 py-1.5">
                <span className="min-w-0 text-sm">
                  {text('linkCreated', { time })}
                  <span className="text-faint">
                    {' · '}
                    {link.expire_time === 0
                      ? text('linkNeverEnds')
                      : text('linkEndsAt', { time: formatDateTime(link.expire_time, language) })}
                  </span>
                </span>
                <span className="flex shrink-0 items-center gap-1">
                  {link.url !== undefined && (
                    <Button
                      variant="quiet"
                      aria-label={text('showLinkOf', { time })}
                      onClick={() => setAddress(new URL(link.url!).hash)}
                    >
                      {text('showLink')}
                    </Button>
                  )}
                  <Button
                    variant="quiet"
                    aria-label={text('endLinkOf', { time })}
                    onClick={() => void end(link.link_id).catch(showErrorToast)}
                  >
                    {text('endLink')}
                  </Button>
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </Section>
  );
}
