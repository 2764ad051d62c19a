import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { errorMessage } from '../lib/api-client.ts';
import { signIn, fetchSingleSignOnName } from '../features/account/authentication.ts';
import { setLanguage, useLanguage, useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/form-fields.tsx';
import { useDocumentTitle } from '../ui/page-layout.tsx';
import { Logo } from './logo.tsx';

export function SignInForm({ onDone }: { onDone: () => void }): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  useDocumentTitle(text('signIn'));
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const sso = useQuery({ queryKey: ['sign-in options'], queryFn: fetchSingleSignOnName, staleTime: Infinity }).data;
  const usedLink = new URLSearchParams(location.search).get('link') === 'used';

  const submit = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      await signIn(name.trim(), password);
      // On the page on which an app asks for access (OAuth), reload, so that the server continues the authorization of
      // the app.
      if (location.pathname.startsWith('/oauth/')) return location.reload();
      if (usedLink) history.replaceState(null, '', '/');
      onDone();
    } catch (error) {
      setError(errorMessage(error));
      setBusy(false);
    }
  };

  return (
    <main className="flex h-full flex-col items-center justify-center overflow-y-auto px-4 py-10">
      <div className="flex w-full max-w-sm flex-col gap-6">
        <div className="flex flex-col items-center gap-3 text-center">
          <Logo size={44} />
          <h1 className="font-serif text-3xl font-semibold">sheaf</h1>
          <p className="text-soft">{text('tagline')}</p>
        </div>
        {usedLink && (
          <p role="alert" className="rounded-xl bg-warn-soft px-4 py-3 text-warn">
            {text('linkUsed')} <code className="font-mono text-sm">sheaf admin sign-in-link</code>
          </p>
        )}
        <form
          className="flex flex-col gap-4 rounded-2xl border border-line bg-raised p-6"
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
        >
          <TextField label={text('name')} required autoFocus autoComplete="username" value={name} onChange={setName} />
          <TextField
            label={text('password')}
            error={error}
            required
            type="password"
            autoComplete="current-password"
            value={password}
            onChange={setPassword}
          />
          <Button type="submit" variant="primary" disabled={busy || name === '' || password === ''}>
            {text('signIn')}
          </Button>
          {typeof sso === 'string' && (
            <a
              className="rounded-lg border border-line px-4 py-2 text-center font-medium hover:bg-accent-soft"
              href={`/sign-in/sso?return=${encodeURIComponent(usedLink ? '/' : location.pathname + location.search)}`}
            >
              {text('signInWith', { name: sso })}
            </a>
          )}
        </form>
        <p className="text-center text-sm text-faint">{text('signInHint')}</p>
        <div className="flex justify-center">
          <Button
            variant="quiet"
            onClick={() =>
              void setLanguage(language === 'en' ? 'zh' : 'en').catch((languageError: unknown) =>
                setError(errorMessage(languageError)),
              )
            }
          >
            {language === 'en' ? '中文' : 'English'}
          </Button>
        </div>
      </div>
    </main>
  );
}
