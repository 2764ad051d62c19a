import { useQuery } from '@tanstack/react-query';
import { sheaf } from '../../lib/api-client.ts';
import { useTranslation } from '../../i18n/use-translation.ts';

export const usersQuery = { queryKey: ['users'], queryFn: () => sheaf.account.list_users({}) };
export const profileQuery = { queryKey: ['profile'], queryFn: () => sheaf.account.get_profile({}) };
export const groupsQuery = { queryKey: ['groups'], queryFn: () => sheaf.account.list_groups({}) };
export const keysQuery = { queryKey: ['keys'], queryFn: () => sheaf.account.list_keys({}) };
export const connectionsQuery = { queryKey: ['connections'], queryFn: () => sheaf.account.list_connections({}) };

/**
 * Returns a function that converts the id in the field `key_id` of an audit log row into a display name: the name of an
 * API key or app, "browser" or "command line".
 */
export function useActorNames(): (keyId: string) => string {
  const text = useTranslation();
  const keys = useQuery({ ...keysQuery, staleTime: 60_000 });
  const apps = useQuery({ ...connectionsQuery, staleTime: 60_000 });
  return (id) => {
    if (id === '') return text('commandLine');
    const key = keys.data?.keys.find((one) => one.key_id === id)?.name;
    const app = apps.data?.apps.find((one) => one.connection_id === id)?.name;
    return key ?? app ?? (id.startsWith('session_') ? text('browser') : id);
  };
}
