import { useQuery } from '@tanstack/react-query';
import { sheaf } from '../lib/client.ts';

export const meQuery = { queryKey: ['me'], queryFn: () => sheaf.account.get_me({}), staleTime: 60_000 };

export function useMe(): Awaited<ReturnType<typeof sheaf.account.get_me>> | undefined {
  return useQuery(meQuery).data;
}
