import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { sheaf } from '../../lib/api-client.ts';
import { formatDate } from '../../lib/format.ts';
import { useLanguage, useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorState, SkeletonLines } from '../../ui/status-placeholders.tsx';
import { showErrorToast } from '../../ui/toast.tsx';
import { mediaKindOf } from './media-kinds.tsx';
import { entryId, refreshBase } from './queries.ts';

const most = 50;

/** Lists deleted entries of a base that can be restored. */
export function BaseTrashDialog({ base, onClose }: { base: string; onClose: () => void }): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  const trash = useQuery({
    queryKey: ['base-trash', base],
    queryFn: () => sheaf.wiki.list_deleted({ knowledge_base_id: base, cursor: '', limit: most }),
    staleTime: 0,
  });
  const restore = async (ids: string[]): Promise<void> => {
    await sheaf.wiki.restore_knowledge({ knowledge_base_id: base, media_ids: ids });
    await Promise.all([trash.refetch(), refreshBase(base)]);
  };
  const entries = trash.data?.knowledge_list ?? [];
  return (
    <Dialog title={text('trash')} onClose={onClose} width="medium">
      <div className="flex items-center justify-between gap-3">
        <p className="text-soft">{text('trashHint')}</p>
        {entries.length > 1 && (
          <Button onClick={() => restore(entries.map(entryId)).catch(showErrorToast)}>{text('restoreAll')}</Button>
        )}
      </div>
      {trash.isPending ? (
        <SkeletonLines count={3} />
      ) : trash.error ? (
        <ErrorState error={trash.error} />
      ) : entries.length === 0 ? (
        <p className="py-6 text-center text-faint">{text('trashEmpty')}</p>
      ) : (
        <ul className="divide-y divide-line" aria-label={text('trash')}>
          {entries.map((entry) => (
            <li key={entryId(entry)} className="flex items-center justify-between gap-3 py-2">
              <span className="shrink-0 text-faint">{mediaKindOf(entry.media_type).icon(18)}</span>
              <span className="min-w-0 flex-1">
                <span className="block truncate font-medium">{entry.title}</span>
                <span className="text-sm text-faint">
                  {text('goneOn', { time: formatDate(entry.expire_time, language) })}
                </span>
              </span>
              <Button onClick={() => restore([entryId(entry)]).catch(showErrorToast)}>{text('restore')}</Button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
