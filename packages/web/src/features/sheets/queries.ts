import { infiniteQueryOptions } from '@tanstack/react-query';
import { cursorPages, sheaf } from '../../lib/api-client.ts';
import { documentsInput } from '../../lib/first-request-inputs.ts';

export function sheetsQuery(trash: boolean) {
  return infiniteQueryOptions({
    queryKey: ['sheets', trash ? 'trash' : 'all'],
    queryFn: ({ pageParam }) =>
      sheaf.manage.list_files({ ...documentsInput(pageParam), ...(trash ? { deleted: true } : {}) }),
    ...cursorPages,
  });
}
