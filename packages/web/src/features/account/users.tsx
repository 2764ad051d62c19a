import { useQuery } from '@tanstack/react-query';
import { Ellipsis, Link2, LockKeyhole, Pause, Play, Plus, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { queryClient, sheaf } from '../../lib/api-client.ts';
import { useCurrentUser } from '../../shell/current-user.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { promptText, confirmAction } from '../../ui/prompt-dialog.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Section, CodeSnippet } from '../../ui/page-layout.tsx';
import { ErrorState, SkeletonLines } from '../../ui/status-placeholders.tsx';
import { showToast, showErrorToast } from '../../ui/toast.tsx';

type User = Awaited<ReturnType<typeof sheaf.account.list_users>>['users'][number];

export function UsersSection(): ReactNode {
  const text = useTranslation();
  const me = useCurrentUser();
  const users = useQuery({ queryKey: ['users'], queryFn: () => sheaf.account.list_users({}) });
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
    showToast(text('userSuspended', { name: user.name }), {
      label: text('undo'),
      run: () => resume(user).catch(showErrorToast),
    });
  };
  const resume = async (user: User): Promise<void> => {
    await sheaf.account.resume_user({ user_id: user.user_id });
    await refresh();
  };
  const remove = async (user: User): Promise<void> => {
    if (
      !(await confirmAction({
        title: text('closeAccount'),
        explanation: text('closeAccountHint', { name: user.name }),
        action: text('closeAccount'),
        danger: true,
      }))
    )
      return;
    await sheaf.account.delete_user({ user_id: user.user_id });
    await refresh();
  };

  return (
    <Section
      title={text('users')}
      actions={
        <Button variant="primary" onClick={() => add().catch(showErrorToast)}>
          <Plus size={16} /> {text('newUser')}
        </Button>
      }
    >
      {users.isPending ? (
        <SkeletonLines count={2} />
      ) : users.error ? (
        <ErrorState error={users.error} />
      ) : (
        <ul className="divide-y divide-line rounded-xl border border-line bg-raised">
          {users.data.users
            .filter((user) => user.state !== 'deleted')
            .map((user) => (
              <li key={user.user_id} className="flex min-h-14 items-center justify-between gap-3 px-4 py-2">
                <span className="flex min-w-0 flex-wrap items-center gap-2">
                  <span className="font-medium break-all">{user.name}</span>
                  {user.role === 'owner' && (
                    <span className="rounded-full bg-accent-soft px-2 py-0.5 text-xs font-medium text-accent">
                      {text('owner')}
                    </span>
                  )}
                  {user.state === 'suspended' && (
                    <span className="rounded-full bg-warn-soft px-2 py-0.5 text-xs font-medium text-warn">
                      {text('suspended')}
                    </span>
                  )}
                </span>
                <Menu
                  trigger={
                    <IconButton label={text('actionsFor', { name: user.name })}>
                      <Ellipsis size={18} />
                    </IconButton>
                  }
                  entries={[
                    {
                      label: text('signInLink'),
                      icon: <Link2 size={15} />,
                      run: () => void newLink(user).catch(showErrorToast),
                    },
                    {
                      label: text('setPassword'),
                      icon: <LockKeyhole size={15} />,
                      run: () => void password(user).catch(showErrorToast),
                    },
                    user.user_id !== me?.user_id && null,
                    user.user_id !== me?.user_id &&
                      (user.state === 'active'
                        ? {
                            label: text('suspend'),
                            icon: <Pause size={15} />,
                            run: () => void suspend(user).catch(showErrorToast),
                          }
                        : {
                            label: text('resume'),
                            icon: <Play size={15} />,
                            run: () => void resume(user).catch(showErrorToast),
                          }),
                    user.user_id !== me?.user_id && {
                      label: text('closeAccount'),
                      icon: <Trash2 size={15} />,
                      danger: true,
                      run: () => void remove(user).catch(showErrorToast),
                    },
                  ]}
                />
              </li>
            ))}
        </ul>
      )}
      {link && (
        <Dialog title={text('signInLink')} onClose={() => setLink(undefined)} width="medium">
          <p className="text-soft">{text('signInLinkHint', { name: link.name })}</p>
          <CodeSnippet label={text('signInLink')} code={new URL(link.path, location.origin).href} />
          <DialogButtons>
            <Button variant="primary" onClick={() => setLink(undefined)}>
              {text('done')}
            </Button>
          </DialogButtons>
        </Dialog>
      )}
    </Section>
  );
}
