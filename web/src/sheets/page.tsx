import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { sheaf } from '../lib/client.ts';
import { useText } from '../text/use-text.ts';
import { Page } from '../ui/page.tsx';
import { Failed, Lines } from '../ui/states.tsx';

export function SheetPage(): ReactNode {
  const text = useText();
  const { id } = useParams({ from: '/sheet/$id' });
  const info = useQuery({ queryKey: ['sheet', id], queryFn: () => sheaf.manage.query_file_info({ file_id: id }) });
  if (info.isPending) return <div className="p-10"><Lines /></div>;
  if (info.error) return <Failed error={info.error} retry={() => void info.refetch()} />;
  return (
    <Page title={info.data.file.title} lead={text('sheetLead')}>
      <p className="text-soft">{text('sheetVersion', { version: info.data.file.version })}</p>
    </Page>
  );
}
