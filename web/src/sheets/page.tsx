import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Ellipsis, Pencil, Plus, Table2, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { queries, sheaf } from '../lib/client.ts';
import { timeAgo } from '../lib/format.ts';
import { useLanguage, useText, type Text } from '../text/use-text.ts';
import { askText } from '../ui/ask.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Failed, Lines } from '../ui/states.tsx';
import { say, sayError } from '../ui/toast.tsx';

type Listed = Awaited<ReturnType<typeof sheaf.manage.list_files>>['files'][number];

const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: ['sheets'] });

export function SheetsPage(): ReactNode {
  const text = useText();
  const navigate = useNavigate();
  const files = useInfiniteQuery({
    queryKey: ['sheets'],
    queryFn: ({ pageParam }) => sheaf.manage.list_files({ cursor: pageParam, limit: 50 }),
    initialPageParam: '',
    getNextPageParam: (last) => (last.is_end ? undefined : last.next_cursor),
  });
  const create = async (): Promise<void> => {
    const title = await askText({ title: text('newSheet'), label: text('title'), initial: text('untitled'), action: text('create') });
    if (title === undefined) return;
    const { file_id: id } = await sheaf.manage.create_file({ title });
    await refresh();
    await navigate({ to: '/sheet/$id', params: { id } });
  };
  const button = (
    <Button look="primary" onClick={() => create().catch(sayError)}>
      <Plus size={16} /> {text('newSheet')}
    </Button>
  );
  const all = files.data?.pages.flatMap((page) => page.files) ?? [];
  return (
    <Page title={text('sheets')} lead={text('sheetsLead')} actions={button}>
      {files.isPending ? (
        <Lines count={4} />
      ) : files.error ? (
        <Failed error={files.error} retry={() => void files.refetch()} />
      ) : all.length === 0 ? (
        <Empty icon={<Table2 />} title={text('noSheets')} actions={button}>
          {text('noSheetsHint')}
        </Empty>
      ) : (
        <ul className="divide-y divide-line rounded-xl border border-line bg-raised" aria-label={text('sheets')}>
          {all.map((file) => (
            <Row key={file.file_id} file={file} />
          ))}
        </ul>
      )}
      {files.hasNextPage && (
        <div className="flex justify-center">
          <Button look="quiet" onClick={() => void files.fetchNextPage()}>
            {text('loadMore')}
          </Button>
        </div>
      )}
    </Page>
  );
}

function Row({ file }: { file: Listed }): ReactNode {
  const text = useText();
  const language = useLanguage();
  return (
    <li className="flex min-h-14 items-center gap-3 px-4 py-2">
      <Table2 size={18} className="shrink-0 text-faint" />
      <Link to="/sheet/$id" params={{ id: file.file_id }} className="min-w-0 flex-1 truncate rounded font-medium hover:underline">
        {file.title}
      </Link>
      <span className="hidden text-sm text-faint sm:inline">{timeAgo(file.modify_time, language)}</span>
      <Menu
        trigger={
          <IconButton label={text('actionsFor', { name: file.title })}>
            <Ellipsis size={18} />
          </IconButton>
        }
        entries={[
          { label: text('rename'), icon: <Pencil size={15} />, run: () => void rename(file, text).catch(sayError) },
          { label: text('delete'), icon: <Trash2 size={15} />, danger: true, run: () => void remove(file, text).catch(sayError) },
        ]}
      />
    </li>
  );
}

async function rename(file: Listed, text: Text): Promise<void> {
  const title = await askText({ title: text('rename'), label: text('title'), initial: file.title, action: text('rename') });
  if (title === undefined) return;
  await sheaf.manage.rename_file({ file_id: file.file_id, title });
  await refresh();
}

async function remove(file: Listed, text: Text): Promise<void> {
  await sheaf.manage.delete_file({ file_id: file.file_id });
  await refresh();
  const undo = async (): Promise<void> => {
    await sheaf.manage.restore_file({ file_id: file.file_id });
    await refresh();
  };
  say(text('sheetDeleted', { name: file.title }), { label: text('undo'), run: () => void undo().catch(sayError) });
}

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
