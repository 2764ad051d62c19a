import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { queryClient, sheaf } from '../../lib/api-client.ts';
import { TrashDialog } from '../../ui/trash-dialog.tsx';
import { refreshNotes } from './queries.ts';

export function NotesTrashDialog({ onClose }: { onClose: () => void }): ReactNode {
  const navigate = useNavigate();
  const trash = useQuery({
    queryKey: ['trash'],
    queryFn: () => sheaf.note.list_deleted_notes({ limit: 20 }),
    staleTime: 0,
  });
  const restore = async ([id]: string[]): Promise<void> => {
    await sheaf.note.restore_note({ note_id: id! });
    onClose();
    await Promise.all([refreshNotes(), queryClient.invalidateQueries({ queryKey: ['trash'] })]);
    await navigate({ to: '/notes/$id', params: { id: id! } });
  };
  const items = (trash.data?.notes ?? []).map((note) => ({
    id: note.note_id,
    title: note.title,
    purgeTime: note.purge_time,
  }));
  return <TrashDialog query={trash} items={items} restore={restore} onClose={onClose} />;
}
