import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { queryClient, sheaf } from '../../lib/api-client.ts';
import { useCurrentUser } from '../../shell/current-user.ts';
import { MembersDialog } from '../../ui/members-dialog.tsx';
import { PublicLinks } from '../../ui/public-links.tsx';
import { refreshBase, type BaseInfo } from './queries.ts';

type Given = BaseInfo['role_type'];

export function ShareDialog({ base, onClose }: { base: BaseInfo; onClose: () => void }): ReactNode {
  const me = useCurrentUser();
  const isOwner = base.role_type === 'owner';
  const members = useQuery({
    queryKey: ['members', base.id],
    queryFn: () => sheaf.wiki.list_members({ knowledge_base_id: base.id }),
  });
  const refresh = async (): Promise<void> => {
    await Promise.all([queryClient.invalidateQueries({ queryKey: ['members', base.id] }), refreshBase(base.id)]);
  };
  const set = async (who: { user_id: string } | { user_name: string }, role: Given): Promise<void> => {
    await sheaf.wiki.set_member({ knowledge_base_id: base.id, ...who, role });
    await refresh();
  };
  const remove = async (user_id: string): Promise<void> => {
    await sheaf.wiki.remove_member({ knowledge_base_id: base.id, user_id });
    await refresh();
  };
  return (
    <MembersDialog<Given>
      name={base.name}
      me={me?.user_id}
      members={{ ...members, data: members.data?.members }}
      roles={['viewer', 'editor', 'owner']}
      mayShare={isOwner}
      mayChange={(member) => isOwner && member.user_id !== me?.user_id}
      add={(user_name, role) => set({ user_name }, role)}
      change={(user_id, role) => set({ user_id }, role)}
      remove={remove}
      onClose={onClose}
    >
      {isOwner && <PublicLinks kind="base" id={base.id} />}
    </MembersDialog>
  );
}
