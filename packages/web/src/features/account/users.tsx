import { useQuery } from '@tanstack/react-query';
import { Ellipsis, Link2, LockKeyhole, Pause, Play, Plus, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { queryClient, sheaf } from '../../lib/api-client.ts';
import { useCurrentUser } from '../../shell/current-user.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { promptText, confirmAction } from '../../ui/prompt-dialog.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';
import { Section } from '../../ui/page-layout.tsx';
import { SkeletonLines, queryPlaceholder } from '../../ui/status-placeholders.tsx';
import { showToast, showErrorToast } from '../../ui/toast.tsx';
import { Badge, SecretDialog } from './account-parts.tsx';
import { usersQuery } from './account-queries.ts';

type User = Awaited<ReturnType<typeof sheaf.account.list_users>>['users'][number];

export function UsersSection(): ReactNode {
  const text = useTranslation();
  const me = useCurrentUser();
  const users = useQuery(usersQuery);
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
  /** Returns the menu entries for other users' accounts. Nobody may suspend or delete their own account. */
  const othersEntries = (user: User): MenuEntry[] => [
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
                <span className="flex min-w-0 flex-wrap items-center gap-2">
                  <span className="font-medium break-all">{user.name}</span>
                  {user.role === 'owner' && <Badge>{text('owner')}</Badge>}
                  {user.state === 'suspended' && <Badge tone="warn">{text('suspended')}</Badge>}
                </span>
                <Menu
                  trigger={
                    <IconButton label={text('actionsFor', { name: user.name })}>
                      <Ellipsis size={18} />
                    </IconButton>
                  }
                  entries={[
                    { label: text('signInLink'), icon: <Link2 size={15} />, run: () => newLink(user) },
                    { label: text('setPassword'), icon: <LockKeyhole size={15} />, run: () => password(user) },
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
