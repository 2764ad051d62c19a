import type { ReactNode } from 'react';
import { formatDate } from '../lib/format.ts';
import { useLanguage, useTranslation } from '../i18n/use-translation.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { SkeletonLines, queryPlaceholder } from './status-placeholders.tsx';
import { showErrorToast } from './toast.tsx';

interface DeletedItem {
  readonly id: string;
  readonly title: string;
  readonly icon?: ReactNode;
  readonly purgeTime: number;
}

interface TrashDialogProps {
  query: Parameters<typeof queryPlaceholder>[0];
  items: readonly DeletedItem[];
  restore: (ids: string[]) => Promise<void>;
  hasRestoreAll?: boolean;
  onClose: () => void;
}

export function TrashDialog({ query, items, restore, hasRestoreAll = false, onClose }: TrashDialogProps): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  return (
    <Dialog title={text('trash')} onClose={onClose} width="medium">
      <div className="flex items-center justify-between gap-3">
        <p className="text-soft">{text('trashHint')}</p>
        {hasRestoreAll && items.length > 1 && (
          <Button onClick={() => restore(items.map(({ id }) => id)).catch(showErrorToast)}>{text('restoreAll')}</Button>
        )}
      </div>
      {queryPlaceholder(query, <SkeletonLines count={3} />) ??
        (items.length === 0 ? (
          <p className="py-6 text-center text-faint">{text('trashEmpty')}</p>
        ) : (
          <ul className="divide-y divide-line" aria-label={text('trash')}>
            {items.map(({ id, title, icon, purgeTime }) => (
              <li key={id} className="flex items-center justify-between gap-3 py-2">
                {icon !== undefined && <span className="shrink-0 text-faint">{icon}</span>}
                <span className="min-w-0 flex-1">
                  <span className="block truncate font-medium">{title === '' ? text('untitled') : title}</span>
                  <span className="text-sm text-faint">
                    {text('goneOn', { time: formatDate(purgeTime, language) })}
                  </span>
                </span>
                <Button onClick={() => restore([id]).catch(showErrorToast)}>{text('restore')}</Button>
              </li>
            ))}
          </ul>
        ))}
    </Dialog>
  );
}
