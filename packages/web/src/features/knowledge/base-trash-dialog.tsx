import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { sheaf } from '../../lib/api-client.ts';
import { TrashDialog } from '../../ui/trash-dialog.tsx';
import { mediaKindOf } from './media-kinds.tsx';
import { entryId, refreshBase } from './queries.ts';

const most = 50;

export function BaseTrashDialog({ base, onClose }: { base: string; onClose: () => void }): ReactNode {
  const trash = useQuery({
    queryKey: ['base-trash', base],
    queryFn: () => sheaf.wiki.list_deleted({ knowledge_base_id: base, cursor: '', limit: most }),
    staleTime: 0,
  });
  const restore = async (ids: string[]): Promise<void> => {
    await sheaf.wiki.restore_knowledge({ knowledge_base_id: base, media_ids: ids });
    await Promise.all([trash.refetch(), refreshBase(base)]);
  };
  const items = (trash.data?.knowledge_list ?? []).map((entry) => ({
    id: entryId(entry),
    title: entry.title,
    icon: mediaKindOf(entry.media_type).icon(18),
    purgeTime: entry.expire_time,
  }));
  return <TrashDialog query={trash} items={items} restore={restore} hasRestoreAll onClose={onClose} />;
}
