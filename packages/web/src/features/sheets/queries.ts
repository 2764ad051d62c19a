import { infiniteQueryOptions } from '@tanstack/react-query';
import { sheaf } from '../../lib/api-client.ts';

export function sheetsQuery(trash: boolean) {
  return infiniteQueryOptions({
    queryKey: ['sheets', trash ? 'trash' : 'all'],
    queryFn: ({ pageParam }) =>
      sheaf.manage.list_files({ cursor: pageParam, limit: 50, ...(trash ? { deleted: true } : {}) }),
    initialPageParam: '',
    getNextPageParam: (last) => (last.is_end ? undefined : last.next_cursor),
  });
}
