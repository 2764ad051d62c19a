import { useMutation, useQuery } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { errorMessage, queryClient, sheaf } from '../../lib/api-client.ts';
import { signOut } from './authentication.ts';
import { formatDateTime } from '../../lib/format.ts';
import { useSetting } from '../../lib/browser-storage.ts';
import { setTheme, theme, type Theme } from '../../shell/theme.ts';
import { setLanguage, useLanguage, useTranslation, type Language } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/button.tsx';
import { Field, Select, TextInput } from '../../ui/form-fields.tsx';
import { Section } from '../../ui/page-layout.tsx';
import { ErrorState, SkeletonLines } from '../../ui/status-placeholders.tsx';
import { showToast, showErrorToast } from '../../ui/toast.tsx';

export function ProfileSection(): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  const look = useSetting(theme);
  return (
    <div className="flex flex-col gap-10">
      <Section title={text('appearance')}>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={text('theme')}>
            {(ids) => (
              <Select {...ids} value={look} onChange={(event) => setTheme(event.target.value as Theme)}>
                <option value="system">{text('themeSystem')}</option>
                <option value="light">{text('themeLight')}</option>
                <option value="dark">{text('themeDark')}</option>
              </Select>
            )}
          </Field>
          <Field label={text('language')}>
            {(ids) => (
              <Select
                {...ids}
                value={language}
                onChange={(event) => void setLanguage(event.target.value as Language).catch(showErrorToast)}
              >
                <option value="en">English</option>
                <option value="zh">中文</option>
              </Select>
            )}
          </Field>
        </div>
      </Section>
      <PasswordForm />
      <Sessions />
      <div>
        <Button onClick={() => void signOut()}>
          <LogOut size={16} /> {text('signOut')}
        </Button>
      </div>
    </div>
  );
}

function PasswordForm(): ReactNode {
  const text = useTranslation();
  const [password, setPassword] = useState('');
  const change = useMutation({
    mutationFn: () => sheaf.account.set_password({ password }),
    onSuccess: () => {
      setPassword('');
      showToast(text('passwordSet'));
    },
  });
  return (
    <Section title={text('password')}>
      <form
        className="flex flex-wrap items-start gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate();
        }}
      >
        <div className="w-full max-w-xs">
          <Field
            label={text('newPassword')}
            hint={text('passwordRule')}
            error={change.error ? errorMessage(change.error) : undefined}
          >
            {(ids) => (
              <TextInput
                {...ids}
                type="password"
                autoComplete="new-password"
                minLength={8}
                required
                value={password}
                onChange={(event) => setPassword(event.target.value)}
              />
            )}
          </Field>
        </div>
        <Button type="submit" className="mt-[1.7rem]" disabled={password.length < 8 || change.isPending}>
          {text('setPassword')}
        </Button>
      </form>
    </Section>
  );
}

function Sessions(): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  const sessions = useQuery({ queryKey: ['sessions'], queryFn: () => sheaf.account.list_sessions({}) });
  const end = async (session_id: string): Promise<void> => {
    await sheaf.account.end_session({ session_id });
    await queryClient.invalidateQueries({ queryKey: ['sessions'] });
  };
  return (
    <Section title={text('sessions')}>
      {sessions.isPending ? (
        <SkeletonLines count={2} />
      ) : sessions.error ? (
        <ErrorState error={sessions.error} />
      ) : (
        <ul className="divide-y divide-line rounded-xl border border-line bg-raised">
          {sessions.data.sessions.map((session) => (
            <li key={session.session_id} className="flex min-h-14 items-center justify-between gap-3 px-4 py-2">
              <div className="flex flex-col">
                <span className="flex items-center gap-2 font-medium">
                  {session.device === '' ? text('unknownDevice') : session.device}
                  {session.current && (
                    <span className="rounded-full bg-accent-soft px-2 py-0.5 text-xs font-medium text-accent">
                      {text('thisBrowser')}
                    </span>
                  )}
                </span>
                <span className="text-sm text-faint">
                  {text('signedInAt', { time: formatDateTime(session.create_time, language) })}
                </span>
              </div>
              {!session.current && (
                <Button
                  variant="quiet"
                  aria-label={`${text('end')}: ${session.device}`}
                  onClick={() => end(session.session_id).catch(showErrorToast)}
                >
                  {text('end')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
