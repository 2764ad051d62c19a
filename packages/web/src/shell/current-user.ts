import { useQuery } from '@tanstack/react-query';
import { sheaf } from '../lib/api-client.ts';

export const currentUserQuery = { queryKey: ['me'], queryFn: () => sheaf.account.get_me({}), staleTime: 60_000 };

export function useCurrentUser(): Awaited<ReturnType<typeof sheaf.account.get_me>> | undefined {
  return useQuery(currentUserQuery).data;
}
