import { useQuery } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import type { ReactNode } from 'react';
import { queryClient, sheaf } from '../../lib/api-client.ts';
import { signOut } from './authentication.ts';
import { formatDateTime } from '../../lib/format.ts';
import { useLanguage, useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/page-layout.tsx';
import { SkeletonLines, queryPlaceholder } from '../../ui/status-placeholders.tsx';
import { showErrorToast } from '../../ui/toast.tsx';
import { Badge } from './account-parts.tsx';
import { PasswordForm } from './password-form.tsx';
import { ProfileForm } from './profile-form.tsx';

export function ProfileSection(): ReactNode {
  const text = useTranslation();
  return (
    <div className="flex flex-col gap-10">
      <ProfileForm />
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
