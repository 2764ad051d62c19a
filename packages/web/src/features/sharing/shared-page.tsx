import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearch, type LinkProps } from '@tanstack/react-router';
import { ArrowLeft, Library, NotebookPen, NotebookText, Table2, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { cursorPages, sheaf } from '../../lib/api-client.ts';
import { formatTimeAgo } from '../../lib/format.ts';
import { useLanguage, useTranslation, type MessageKey } from '../../i18n/use-translation.ts';
import { Page } from '../../ui/page-layout.tsx';
import { EmptyState, LoadMore, SkeletonLines, queryPlaceholder } from '../../ui/status-placeholders.tsx';
import { roleLabels } from './role-labels.ts';
import type { SharedKind } from './shares.ts';

type SharedObject = Awaited<ReturnType<typeof sheaf.sharing.list_shared_with_me>>['shared'][number];

const pollMs = 15_000;

const icons: Record<SharedKind, ReactNode> = {
  note: <NotebookPen size={17} className="text-note" />,
  notebook: <NotebookText size={17} className="text-note" />,
  base: <Library size={17} className="text-base-kind" />,
  sheet: <Table2 size={17} className="text-sheet" />,
};
const kindNames: Record<SharedKind, MessageKey> = {
  note: 'kindNote',
  notebook: 'notebook',
  base: 'filterBase',
  sheet: 'spreadsheet',
};

function linkTo({ kind, id }: SharedObject): LinkProps {
  if (kind === 'note') return { to: '/notes/$id', params: { id } };
  if (kind === 'notebook') return { to: '/shared', search: { folder: id } };
  return kind === 'sheet' ? { to: '/sheet/$id', params: { id } } : { to: '/wiki/$base', params: { base: id } };
}

/**
 * Lists the notes, notebooks, knowledge bases and spreadsheets that others share with the user, or the notes of one
 * shared notebook.
 */
export function SharedPage(): ReactNode {
  const text = useTranslation();
  const { folder } = useSearch({ from: '/shared' });
  const found = useInfiniteQuery({
    queryKey: ['shared', folder ?? ''],
    queryFn: ({ pageParam: cursor, signal }) =>
      sheaf.sharing.list_shared_with_me(
        { ...(folder === undefined ? {} : { folder_id: folder }), cursor, limit: 100 },
        { signal },
      ),
    ...cursorPages,
    refetchInterval: pollMs,
  });
  const objects = found.data?.pages.flatMap((page) => page.shared) ?? [];
  return (
    <Page
      title={text('sharedWithMe')}
      lead={folder === undefined ? text('sharedLead') : <NotebookHeading id={folder} />}
    >
      {queryPlaceholder(found, <SkeletonLines count={4} />, true) ??
        (objects.length === 0 ? (
          <EmptyState icon={<Users />} title={text(folder === undefined ? 'nothingShared' : 'emptySharedNotebook')}>
            {folder === undefined && text('nothingSharedHint')}
          </EmptyState>
        ) : (
          <ul
            className="divide-y divide-line rounded-xl border border-line bg-raised"
            aria-label={text('sharedWithMe')}
          >
            {objects.map((one) => (
              <SharedRow key={`${one.kind} ${one.id}`} shared={one} />
            ))}
          </ul>
        ))}
      <LoadMore list={found} />
    </Page>
  );
}

function SharedRow({ shared }: { shared: SharedObject }): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  return (
    <li>
      <Link {...linkTo(shared)} className="flex min-h-14 items-center gap-3 px-4 py-2 hover:bg-hover">
        <span className="shrink-0">{icons[shared.kind]}</span>
        <span className="flex min-w-0 flex-1 flex-col">
          <span className="truncate font-medium">{shared.title === '' ? text('untitled') : shared.title}</span>
          <span className="truncate text-sm text-soft">
            {text(kindNames[shared.kind])} · {text('sharedBy', { name: shared.owner_name })}
          </span>
        </span>
        <span className="hidden shrink-0 text-sm text-faint sm:inline">
          {formatTimeAgo(shared.modify_time, language)}
        </span>
        <span className="w-24 shrink-0 text-right text-sm text-soft">{text(roleLabels[shared.role])}</span>
      </Link>
    </li>
  );
}

/** The name of a shared notebook, with a link back to the list of everything that is shared with the user. */
function NotebookHeading({ id }: { id: string }): ReactNode {
  const text = useTranslation();
  const notebooks = useInfiniteQuery({
    queryKey: ['shared', 'notebooks'],
    queryFn: ({ pageParam: cursor }) => sheaf.sharing.list_shared_with_me({ kinds: ['notebook'], cursor, limit: 100 }),
    ...cursorPages,
  });
  const here = notebooks.data?.pages.flatMap((page) => page.shared).find((one) => one.id === id);
  return (
    <span className="flex items-center gap-2">
      <Link
        to="/shared"
        search={{}}
        aria-label={text('back')}
        className="flex size-8 items-center justify-center rounded-lg text-soft hover:bg-hover"
      >
        <ArrowLeft size={16} />
      </Link>
      <span>{here === undefined ? text('notebook') : here.title}</span>
    </span>
  );
}
