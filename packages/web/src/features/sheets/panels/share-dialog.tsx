import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { queryClient, sheaf } from '../../../lib/api-client.ts';
import { useCurrentUser } from '../../../shell/current-user.ts';
import { MembersDialog } from '../../../ui/members-dialog.tsx';
import { PublicLinks } from '../../../ui/public-links.tsx';

type Given = 'viewer' | 'editor';

export function ShareDocumentDialog({
  fileId,
  title,
  onClose,
}: {
  fileId: string;
  title: string;
  onClose: () => void;
}): ReactNode {
  const me = useCurrentUser();
  const queryKey = ['sheet-members', fileId];
  const info = useQuery({ queryKey, queryFn: () => sheaf.manage.query_file_info({ file_id: fileId }), staleTime: 0 });
  const isOwner = info.data?.file.role === 'owner';
  const share = async (who: { user_id: string } | { user_name: string }, role: Given | 'none'): Promise<void> => {
    await sheaf.manage.share_file({ file_id: fileId, ...who, role });
    await queryClient.invalidateQueries({ queryKey });
  };
  return (
    <MembersDialog<Given>
      name={title}
      me={me?.user_id}
      members={{ ...info, data: info.data?.members }}
      roles={['viewer', 'editor']}
      mayShare={isOwner}
      mayChange={(member) => isOwner && member.role !== 'owner'}
      add={(user_name, role) => share({ user_name }, role)}
      change={(user_id, role) => share({ user_id }, role)}
      remove={(user_id) => share({ user_id }, 'none')}
      onClose={onClose}
    >
      {isOwner && <PublicLinks kind="sheet" id={fileId} />}
    </MembersDialog>
  );
}
