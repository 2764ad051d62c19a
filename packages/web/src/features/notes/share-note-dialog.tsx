import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { queryClient, sheaf } from '../../lib/api-client.ts';
import { useCurrentUser } from '../../shell/current-user.ts';
import { MembersDialog } from '../../ui/members-dialog.tsx';
import { PublicLinks } from '../../ui/public-links.tsx';

type Given = 'viewer' | 'editor';

const roles = { viewer: 'read', editor: 'write' } as const;

/** Shares a note or a notebook of the user with people, and by public links. */
export function ShareNoteDialog({
  kind,
  id,
  title,
  onClose,
}: {
  kind: 'note' | 'notebook';
  id: string;
  title: string;
  onClose: () => void;
}): ReactNode {
  const me = useCurrentUser();
  const queryKey = ['shares', kind, id];
  const shares = useQuery({ queryKey, queryFn: () => sheaf.sharing.list_shares({ kind, id }), staleTime: 0 });
  const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey });
  const share = async (who: { user_id: string } | { user_name: string }, role: Given): Promise<void> => {
    await sheaf.sharing.share({ kind, id, ...who, role: roles[role] });
    await refresh();
  };
  const members = shares.data?.shares.flatMap(({ user_id, name, role }) =>
    user_id === undefined
      ? []
      : [{ user_id, name, role: role === 'write' ? ('editor' as const) : ('viewer' as const) }],
  );
  return (
    <MembersDialog<Given>
      name={title}
      me={me?.user_id}
      members={{ ...shares, data: members }}
      roles={['viewer', 'editor']}
      mayShare
      mayChange={() => true}
      add={(user_name, role) => share({ user_name }, role)}
      change={(user_id, role) => share({ user_id }, role)}
      remove={async (user_id) => {
        await sheaf.sharing.unshare({ kind, id, user_id });
        await refresh();
      }}
      onClose={onClose}
    >
      <PublicLinks kind={kind} id={id} />
    </MembersDialog>
  );
}
