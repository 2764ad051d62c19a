import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { errorMessage, queryClient, sheaf } from '../../lib/api-client.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/form-fields.tsx';
import { Section } from '../../ui/page-layout.tsx';
import { showToast } from '../../ui/toast.tsx';
import { profileQuery } from './account-queries.ts';

/** Form that sets a new password. The new password is typed twice; the old one is required if the user has one. */
export function PasswordForm(): ReactNode {
  const text = useTranslation();
  const profile = useQuery(profileQuery);
  const needsOld = profile.data?.needs_old_password === true;
  const [old, setOld] = useState('');
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const isDifferent = again !== '' && again !== password;
  const change = useMutation({
    mutationFn: () => sheaf.account.set_password({ password, ...(needsOld ? { old_password: old } : {}) }),
    onSuccess: () => {
      setOld('');
      setPassword('');
      setAgain('');
      showToast(text('passwordSet'));
      return queryClient.invalidateQueries({ queryKey: profileQuery.queryKey });
    },
  });
  const field = { type: 'password', required: true } as const;
  return (
    <Section title={text('password')}>
      <form
        className="flex max-w-xs flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isDifferent) change.mutate();
        }}
      >
        {needsOld && (
          <TextField
            {...field}
            label={text('oldPassword')}
            autoComplete="current-password"
            value={old}
            onChange={setOld}
          />
        )}
        <TextField
          {...field}
          label={text('newPassword')}
          hint={text('passwordRule')}
          error={change.error ? errorMessage(change.error) : undefined}
          autoComplete="new-password"
          minLength={8}
          value={password}
          onChange={setPassword}
        />
        <TextField
          {...field}
          label={text('newPasswordAgain')}
          error={isDifferent ? text('passwordsDiffer') : undefined}
          autoComplete="new-password"
          value={again}
          onChange={setAgain}
        />
        <Button
          type="submit"
          className="self-start"
          disabled={password.length < 8 || again !== password || (needsOld && old === '') || change.isPending}
        >
          {text('setPassword')}
        </Button>
      </form>
    </Section>
  );
}
