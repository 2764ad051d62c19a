import { useQuery } from '@tanstack/react-query';
import { Bell, BellOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { queryClient, sheaf } from '../../lib/api-client.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { IconButton } from '../../ui/button.tsx';
import { showErrorToast } from '../../ui/toast.tsx';

/** Button that follows or unfollows an object. Changes by others to a followed object appear in the user's inbox. */
export function FollowButton({ kind, id }: { kind: 'note' | 'sheet'; id: string }): ReactNode {
  const text = useTranslation();
  const followed = useQuery({
    queryKey: ['followed'],
    queryFn: async () => (await sheaf.inbox.list_followed({})).followed.map((one) => one.id),
  });
  const isFollowed = followed.data?.includes(id) ?? false;
  const toggle = async (): Promise<void> => {
    await (isFollowed ? sheaf.inbox.unfollow({ kind, id }) : sheaf.inbox.follow({ kind, id }));
    await queryClient.invalidateQueries({ queryKey: ['followed'] });
  };
  return (
    <IconButton
      label={text(isFollowed ? 'unfollow' : 'follow')}
      aria-pressed={isFollowed}
      disabled={followed.data === undefined}
      onClick={() => void toggle().catch(showErrorToast)}
    >
      {isFollowed ? <BellOff size={16} /> : <Bell size={16} />}
    </IconButton>
  );
}
