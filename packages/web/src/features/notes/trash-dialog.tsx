import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { queryClient, sheaf } from '../../lib/api-client.ts';
import { formatDate } from '../../lib/format.ts';
import { useLanguage, useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorState, SkeletonLines } from '../../ui/status-placeholders.tsx';
import { showErrorToast } from '../../ui/toast.tsx';
import { refreshNotes } from './queries.ts';

export function NotesTrashDialog({ onClose }: { onClose: () => void }): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  const navigate = useNavigate();
  const trash = useQuery({
    queryKey: ['trash'],
    queryFn: () => sheaf.note.list_deleted_notes({ limit: 20 }),
    staleTime: 0,
  });
  const restore = async (id: string): Promise<void> => {
    await sheaf.note.restore_note({ note_id: id });
    onClose();
    await Promise.all([refreshNotes(), queryClient.invalidateQueries({ queryKey: ['trash'] })]);
    await navigate({ to: '/notes/$id', params: { id } });
  };
  return (
    <Dialog title={text('trash')} onClose={onClose} width="medium">
      <p className="text-soft">{text('trashHint')}</p>
      {trash.isPending ? (
        <SkeletonLines count={3} />
      ) : trash.error ? (
        <ErrorState error={trash.error} />
      ) : trash.data.notes.length === 0 ? (
        <p className="py-6 text-center text-faint">{text('trashEmpty')}</p>
      ) : (
        <ul className="divide-y divide-line">
          {trash.data.notes.map((note) => (
            <li key={note.note_id} className="flex items-center justify-between gap-3 py-2">
              <span className="min-w-0">
                <span className="block truncate font-medium">{note.title === '' ? text('untitled') : note.title}</span>
                <span className="text-sm text-faint">
                  {text('goneOn', { time: formatDate(note.purge_time, language) })}
                </span>
              </span>
              <Button onClick={() => restore(note.note_id).catch(showErrorToast)}>{text('restore')}</Button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
