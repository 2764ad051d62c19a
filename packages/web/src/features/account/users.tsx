import { useQuery } from '@tanstack/react-query';
import {
  Ellipsis,
  HardDrive,
  Link2,
  LockKeyhole,
  Pause,
  Play,
  Plus,
  ShieldMinus,
  ShieldPlus,
  Trash2,
} from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { queryClient, sheaf } from '../../lib/api-client.ts';
import { useCurrentUser } from '../../shell/current-user.ts';
import { formatBytes, formatTimeAgo } from '../../lib/format.ts';
import { useLanguage, useTranslation } from '../../i18n/use-translation.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { promptText, confirmAction } from '../../ui/prompt-dialog.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';
import { Section } from '../../ui/page-layout.tsx';
import { SkeletonLines, queryPlaceholder } from '../../ui/status-placeholders.tsx';
import { showToast, showErrorToast } from '../../ui/toast.tsx';
import { Badge, SecretDialog } from './account-parts.tsx';
import { groupsQuery, usersQuery } from './account-queries.ts';

type User = Awaited<ReturnType<typeof sheaf.account.list_users>>['users'][number];

/**
 * Returns the group names of each user, by user id. Only the first groups are considered, because each group needs a
 * request.
 */
function useGroupsOfUsers(): ReadonlyMap<string, readonly string[]> {
  const groups = useQuery(groupsQuery);
  const ids = (groups.data?.groups ?? []).slice(0, maxGroups);
  const members = useQuery({
    queryKey: ['group-members', ids.map((one) => one.group_id)],
    enabled: ids.length > 0,
    queryFn: async () => {
      const found = new Map<string, string[]>();
      for (const { group_id, name } of ids)
        for (const { user_id } of (await sheaf.account.list_group_members({ group_id })).members)
          found.set(user_id, [...(found.get(user_id) ?? []), name]);
      return found;
    },
  });
  return members.data ?? new Map();
}

const maxGroups = 20;

function UserLine({ user, groups }: { user: User; groups: readonly string[] }): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  const share = Math.min(1, user.quota_bytes === 0 ? 1 : user.stored_bytes / user.quota_bytes);
  const stored = text('storedOf', {
    used: formatBytes(user.stored_bytes, language),
    quota: formatBytes(user.quota_bytes, language),
  });
  return (
    <div className="grid min-w-0 flex-1 items-center gap-x-4 gap-y-1 sm:grid-cols-[minmax(0,1fr)_9rem_7rem]">
      <div className="min-w-0">
        <span className="flex min-w-0 flex-wrap items-center gap-2">
          <span className="font-medium break-all">{user.display_name || user.name}</span>
          {user.display_name !== '' && <span className="text-sm break-all text-faint">{user.name}</span>}
          {user.role === 'owner' && <Badge>{text('owner')}</Badge>}
          {user.state === 'suspended' && <Badge tone="warn">{text('suspended')}</Badge>}
        </span>
        {groups.length > 0 && (
          <span className="block truncate text-sm text-soft">{text('inGroups', { groups: groups.join(', ') })}</span>
        )}
      </div>
      <div className="text-sm text-soft">
        {stored}
        <ProgressBar share={share} label={`${user.name}: ${stored}`} className="mt-1 h-1 w-full" />
      </div>
      <span className="text-sm text-faint">
        {user.last_seen_time === 0
          ? text('neverSeen')
          : text('seenAt', { time: formatTimeAgo(user.last_seen_time, language) })}
      </span>
    </div>
  );
}

export function UsersSection(): ReactNode {
  const text = useTranslation();
  const me = useCurrentUser();
  const users = useQuery(usersQuery);
  const groupsOf = useGroupsOfUsers();
  const [link, setLink] = useState<{ name: string; path: string }>();
  const refresh = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['users'] });

  const add = async (): Promise<void> => {
    const name = await promptText({
      title: text('newUser'),
      label: text('name'),
      explanation: text('newUserHint'),
      action: text('add'),
    });
    if (name === undefined) return;
    const made = await sheaf.account.create_user({ name });
    await refresh();
    setLink({ name, path: made.sign_in_path });
  };
  const newLink = async (user: User): Promise<void> =>
    setLink({
      name: user.name,
      path: (await sheaf.account.create_sign_in_link({ user_id: user.user_id })).sign_in_path,
    });
  const password = async (user: User): Promise<void> => {
    const value = await promptText({
      title: text('setPasswordOf', { name: user.name }),
      label: text('newPassword'),
      explanation: text('passwordRule'),
      action: text('setPassword'),
    });
    if (value === undefined) return;
    await sheaf.account.set_password({ user_id: user.user_id, password: value });
    showToast(text('passwordSet'));
  };
  const suspend = async (user: User): Promise<void> => {
    await sheaf.account.suspend_user({ user_id: user.user_id });
    await refresh();
    showToast(text('userSuspended', { name: user.name }), { label: text('undo'), run: () => resume(user) });
  };
  const resume = async (user: User): Promise<void> => {
    await sheaf.account.resume_user({ user_id: user.user_id });
    await refresh();
  };
  const remove = async (user: User): Promise<void> => {
    const title = text('closeAccount');
    const explanation = text('closeAccountHint', { name: user.name });
    if (!(await confirmAction({ title, explanation, action: title, danger: true }))) return;
    await sheaf.account.delete_user({ user_id: user.user_id });
    await refresh();
  };
  const setRole = async (user: User, role: User['role']): Promise<void> => {
    const title = text(role === 'owner' ? 'makeOwner' : 'makeMember');
    const explanation = text(role === 'owner' ? 'makeOwnerHint' : 'makeMemberHint', { name: user.name });
    if (!(await confirmAction({ title, explanation, action: title }))) return;
    await sheaf.account.update_user({ user_id: user.user_id, role });
    await refresh();
  };
  const setQuota = async (user: User): Promise<void> => {
    const value = await promptText({
      title: text('quotaOf', { name: user.name }),
      label: text('quotaInGigabytes'),
      initial: String(Math.round((user.quota_bytes / 2 ** 30) * 100) / 100),
      explanation: text('quotaHint'),
      mayBeEmpty: true,
      action: text('save'),
    });
    if (value === undefined) return;
    const size = value.trim() === '' ? -1 : Math.round(Number(value.replace(',', '.')) * 2 ** 30);
    if (!Number.isFinite(size) || size < -1) throw new Error(text('quotaUnclear', { value }));
    await sheaf.account.update_user({ user_id: user.user_id, quota_bytes: size });
    await refresh();
  };
  /** Returns the menu entries that change the role of another user's account, or suspend or delete it. */
  const othersEntries = (user: User): MenuEntry[] => [
    user.role === 'owner'
      ? { label: text('makeMember'), icon: <ShieldMinus size={15} />, run: () => setRole(user, 'member') }
      : {
          label: text('makeOwner'),
          icon: <ShieldPlus size={15} />,
          disabled: user.state !== 'active',
          run: () => setRole(user, 'owner'),
        },
    user.state === 'active'
      ? { label: text('suspend'), icon: <Pause size={15} />, run: () => suspend(user) }
      : { label: text('resume'), icon: <Play size={15} />, run: () => resume(user) },
    { label: text('closeAccount'), icon: <Trash2 size={15} />, danger: true, run: () => remove(user) },
  ];
  return (
    <Section
      title={text('users')}
      actions={
        <Button variant="primary" onClick={() => add().catch(showErrorToast)}>
          <Plus size={16} /> {text('newUser')}
        </Button>
      }
    >
      {queryPlaceholder(users, <SkeletonLines count={2} />) ?? (
        <ul className="divide-y divide-line rounded-xl border border-line bg-raised">
          {users.data?.users
            .filter((user) => user.state !== 'deleted')
            .map((user) => (
              <li key={user.user_id} className="flex min-h-14 items-center justify-between gap-3 px-4 py-2">
                <UserLine user={user} groups={groupsOf.get(user.user_id) ?? []} />
                <Menu
                  trigger={
                    <IconButton label={text('actionsFor', { name: user.name })}>
                      <Ellipsis size={18} />
                    </IconButton>
                  }
                  entries={[
                    { label: text('signInLink'), icon: <Link2 size={15} />, run: () => newLink(user) },
                    { label: text('setPassword'), icon: <LockKeyhole size={15} />, run: () => password(user) },
                    { label: text('quotaDots'), icon: <HardDrive size={15} />, run: () => setQuota(user) },
                    ...(user.user_id === me?.user_id ? [] : [null, ...othersEntries(user)]),
                  ]}
                />
              </li>
            ))}
        </ul>
      )}
      {link && (
        <SecretDialog
          title={text('signInLink')}
          hint={text('signInLinkHint', { name: link.name })}
          secrets={{ [text('signInLink')]: new URL(link.path, location.origin).href }}
          onClose={() => setLink(undefined)}
        />
      )}
    </Section>
  );
}
