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
import { SelectField, TextField } from '../../ui/form-fields.tsx';
import { Section } from '../../ui/page-layout.tsx';
import { SkeletonLines, queryPlaceholder } from '../../ui/status-placeholders.tsx';
import { showToast, showErrorToast } from '../../ui/toast.tsx';
import { Badge } from './account-parts.tsx';

export function ProfileSection(): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  const look = useSetting(theme);
  return (
    <div className="flex flex-col gap-10">
      <Section title={text('appearance')}>
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField<Theme>
            label={text('theme')}
            value={look}
            options={[
              ['system', text('themeSystem')],
              ['light', text('themeLight')],
              ['dark', text('themeDark')],
            ]}
            onChange={setTheme}
          />
          <SelectField<Language>
            label={text('language')}
            value={language}
            options={[
              ['en', 'English'],
              ['zh', '中文'],
            ]}
            onChange={(chosen) => void setLanguage(chosen).catch(showErrorToast)}
          />
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
          <TextField
            label={text('newPassword')}
            hint={text('passwordRule')}
            error={change.error ? errorMessage(change.error) : undefined}
            type="password"
            autoComplete="new-password"
            minLength={8}
            required
            value={password}
            onChange={setPassword}
          />
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
      {queryPlaceholder(sessions, <SkeletonLines count={2} />) ?? (
        <ul className="divide-y divide-line rounded-xl border border-line bg-raised">
          {sessions.data?.sessions.map((session) => (
            <li key={session.session_id} className="flex min-h-14 items-center justify-between gap-3 px-4 py-2">
              <div className="flex flex-col">
                <span className="flex items-center gap-2 font-medium">
                  {session.device === '' ? text('unknownDevice') : session.device}
                  {session.current && <Badge>{text('thisBrowser')}</Badge>}
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
