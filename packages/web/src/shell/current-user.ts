import { useQuery } from '@tanstack/react-query';
import { setLanguage, type Language } from '../i18n/use-translation.ts';
import { sheaf } from '../lib/api-client.ts';
import { readStorage } from '../lib/browser-storage.ts';
import { setTimeZone } from '../lib/format.ts';

export const currentUserQuery = { queryKey: ['me'], queryFn: () => sheaf.account.get_me({}), staleTime: 60_000 };

export type CurrentUser = Awaited<ReturnType<typeof sheaf.account.get_me>>;

export function useCurrentUser(): CurrentUser | undefined {
  return useQuery(currentUserQuery).data;
}

/** Applies the time zone and language of the user's profile. A language chosen in this browser has precedence. */
export function applyProfile(profile: CurrentUser['profile']): void {
  setTimeZone(profile?.time_zone);
  if (profile?.language && readStorage('sheaf.language') === null)
    setLanguage(profile.language as Language).catch((error: unknown) => console.info('language', error));
}
