import { useQuery } from '@tanstack/react-query';
import { UserRound } from 'lucide-react';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { queryClient, sheaf } from '../../lib/api-client.ts';
import { useSetting } from '../../lib/browser-storage.ts';
import { setTheme, theme, type Theme } from '../../shell/theme.ts';
import { currentUserQuery, useCurrentUser } from '../../shell/current-user.ts';
import { setLanguage, useLanguage, useTranslation, type Language } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/button.tsx';
import { ComboBox } from '../../ui/combo-box.tsx';
import { Field, SelectField, TextField } from '../../ui/form-fields.tsx';
import { Section } from '../../ui/page-layout.tsx';
import { showErrorToast, showToast } from '../../ui/toast.tsx';
import { profileQuery } from './account-queries.ts';
import { shrinkPicture } from './shrink-picture.ts';

/**
 * Form for name, picture, language, time zone and theme. The button saves name and time zone; the other fields save
 * immediately.
 */
export function ProfileForm(): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  const look = useSetting(theme);
  const me = useCurrentUser();
  const { data } = useQuery(profileQuery);
  const [name, setName] = useState('');
  const [zone, setZone] = useState('');
  const savedName = data?.display_name ?? '';
  const savedZone = data?.time_zone ?? '';
  useEffect(() => setName(savedName), [savedName]);
  useEffect(() => setZone(savedZone), [savedZone]);
  const zones = useMemo(() => Intl.supportedValuesOf('timeZone'), []);
  const change = async (changed: Parameters<typeof sheaf.account.update_profile>[0]): Promise<void> => {
    await sheaf.account.update_profile(changed);
    await Promise.all(
      [profileQuery, currentUserQuery].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })),
    );
    showToast(text('profileSaved'));
  };
  const chooseLanguage = async (chosen: Language): Promise<void> => {
    await setLanguage(chosen);
    await change({ language: chosen });
  };
  return (
    <Section title={text('profile')}>
      <PictureField
        picture={data?.picture ?? ''}
        onChange={(picture) => void change({ picture }).catch(showErrorToast)}
      />
      <form
        className="grid items-start gap-4 sm:grid-cols-2"
        onSubmit={(event) => {
          event.preventDefault();
          change({ display_name: name, time_zone: zone.trim() }).catch(showErrorToast);
        }}
      >
        <TextField
          label={text('displayName')}
          hint={text('displayNameHint')}
          maxLength={80}
          placeholder={me?.name}
          value={name}
          onChange={setName}
        />
        <Field label={text('timeZone')} hint={text('timeZoneHint')}>
          {(ids) => (
            <ComboBox
              {...ids}
              value={zone}
              options={zones}
              placeholder={Intl.DateTimeFormat().resolvedOptions().timeZone}
              onChange={setZone}
            />
          )}
        </Field>
        <Button
          type="submit"
          className="justify-self-start sm:col-span-2"
          disabled={!data || (name === savedName && zone === savedZone)}
        >
          {text('save')}
        </Button>
      </form>
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
          onChange={(chosen) => void chooseLanguage(chosen).catch(showErrorToast)}
        />
      </div>
    </Section>
  );
}

function PictureField({ picture, onChange }: { picture: string; onChange: (picture: string) => void }): ReactNode {
  const text = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const take = async (file: File | undefined): Promise<void> => {
    if (file) onChange(await shrinkPicture(file));
  };
  return (
    <div className="flex items-center gap-4">
      {picture === '' ? (
        <span className="flex size-16 items-center justify-center rounded-full bg-accent-soft text-accent">
          <UserRound size={28} />
        </span>
      ) : (
        <img src={picture} alt={text('yourPicture')} className="size-16 rounded-full object-cover" />
      )}
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        aria-label={text('choosePicture')}
        onChange={(event) => {
          take(event.target.files?.[0]).catch(showErrorToast);
          event.target.value = '';
        }}
      />
      <Button onClick={() => input.current?.click()}>{text('choosePicture')}</Button>
      {picture !== '' && (
        <Button variant="quiet" onClick={() => onChange('')}>
          {text('removePicture')}
        </Button>
      )}
    </div>
  );
}
