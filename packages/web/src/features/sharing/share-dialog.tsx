import { useQuery } from '@tanstack/react-query';
import { Globe, UserRound, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { queryClient } from '../../lib/api-client.ts';
import { useCurrentUser } from '../../shell/current-user.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select, optionElements } from '../../ui/form-fields.tsx';
import { SkeletonLines, queryPlaceholder } from '../../ui/status-placeholders.tsx';
import { showErrorToast } from '../../ui/toast.tsx';
import { roleLabels } from './role-labels.ts';
import { PublicLinks } from './public-links.tsx';
import { ShareForm } from './share-form.tsx';
import { sharesQuery, shareWith, stopSharing, type Grantee, type Role, type Share, type SharedKind } from './shares.ts';

export interface ShareDialogProps {
  readonly kind: SharedKind;
  readonly id: string;
  readonly title: string;
  /** Whether the user may change access; true by default. Other users only see the list of people with access. */
  readonly isOwner?: boolean;
  readonly onClose: () => void;
}

/**
 * Returns the roles that can be granted to others. Ownership can be granted only for knowledge bases, because
 * everything else has exactly one owner.
 */
const rolesOf = (kind: SharedKind): readonly Role[] => [
  'read',
  'comment',
  'write',
  ...(kind === 'base' ? ['own' as const] : []),
];

/** Shows and changes who can access a note, notebook, knowledge base or spreadsheet, and its public links. */
export function ShareDialog({ kind, id, title, isOwner = true, onClose }: ShareDialogProps): ReactNode {
  const text = useTranslation();
  const me = useCurrentUser();
  const query = sharesQuery(kind, id, isOwner);
  const shares = useQuery(query);
  const refresh = async (): Promise<void> => {
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: query.queryKey }),
      kind === 'base' && queryClient.invalidateQueries({ queryKey: ['base', id] }),
    ]);
  };
  const share = async (grantee: Grantee, role: Role): Promise<void> => {
    await shareWith({ kind, id }, grantee, role);
    await refresh();
  };
  const remove = async (grantee: Grantee): Promise<void> => {
    await stopSharing({ kind, id }, grantee);
    await refresh();
  };
  const options = rolesOf(kind).map((role) => [role, text(roleLabels[role])] as const);
  return (
    <Dialog title={text('shareBase', { name: title })} onClose={onClose} width="medium">
      {isOwner && <ShareForm options={options} shares={shares.data ?? []} onShare={share} />}
      {queryPlaceholder(shares, <SkeletonLines count={2} />) ??
        (shares.data?.length === 0 ? (
          <p className="text-sm text-faint">{text('notShared')}</p>
        ) : (
          <ul className="divide-y divide-line rounded-xl border border-line bg-raised" aria-label={text('members')}>
            {shares.data?.map((one) => (
              <ShareRow
                key={one.key}
                share={one}
                isMe={one.key === me?.user_id}
                options={isOwner && one.key !== me?.user_id ? options : undefined}
                onRole={(role) => share(one.grantee, role)}
                onRemove={() => remove(one.grantee)}
              />
            ))}
          </ul>
        ))}
      {isOwner && <PublicLinks kind={kind} id={id} />}
    </Dialog>
  );
}

interface ShareRowProps {
  share: Share;
  isMe: boolean;
  /** Roles to choose from; undefined if the user may not change this share. */
  options: readonly (readonly [Role, string])[] | undefined;
  onRole: (role: Role) => Promise<void>;
  onRemove: () => Promise<void>;
}

const icons = { user: UserRound, group: Users, everyone: Globe } as const;

function ShareRow({ share, isMe, options, onRole, onRemove }: ShareRowProps): ReactNode {
  const text = useTranslation();
  const name = share.kind === 'everyone' ? text('everyoneSignedIn') : share.name;
  const Icon = icons[share.kind];
  return (
    <li className="flex min-h-12 items-center justify-between gap-3 px-4 py-1.5">
      <span className="flex min-w-0 items-center gap-2.5">
        <Icon
          size={16}
          className="shrink-0 text-faint"
          aria-label={text(share.kind === 'group' ? 'group' : 'person')}
        />
        <span className="min-w-0 truncate">
          {name}
          {isMe && <span className="text-faint"> · {text('you')}</span>}
        </span>
      </span>
      {options ? (
        <span className="flex shrink-0 items-center gap-1">
          <span className="w-36">
            <Select
              aria-label={text('roleOf', { name })}
              value={share.role}
              onChange={(event) => onRole(event.target.value as Role).catch(showErrorToast)}
            >
              {optionElements(options)}
            </Select>
          </span>
          <Button
            variant="quiet"
            aria-label={text('removeAccessOf', { name })}
            onClick={() => onRemove().catch(showErrorToast)}
          >
            {text('remove')}
          </Button>
        </span>
      ) : (
        <span className="text-soft">{text(roleLabels[share.role])}</span>
      )}
    </li>
  );
}
