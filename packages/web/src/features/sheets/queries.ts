import { infiniteQueryOptions } from '@tanstack/react-query';
import { cursorPages, sheaf } from '../../lib/api-client.ts';

export function sheetsQuery(trash: boolean) {
  return infiniteQueryOptions({
    queryKey: ['sheets', trash ? 'trash' : 'all'],
    queryFn: ({ pageParam }) =>
      sheaf.manage.list_files({ cursor: pageParam, limit: 50, ...(trash ? { deleted: true } : {}) }),
    ...cursorPages,
  });
}
