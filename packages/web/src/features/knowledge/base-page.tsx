import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import {
  Download,
  Ellipsis,
  FilePlus2,
  FolderPlus,
  FolderUp,
  Globe,
  LogOut,
  Pencil,
  Trash2,
  Upload,
  Users,
} from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { isNotFound, sheaf } from '../../lib/api-client.ts';
import { downloadUrl } from '../../lib/download.ts';
import { useServerEvents } from '../../lib/use-server-events.ts';
import { useRecordBaseVisit } from '../../lib/last-base-visits.ts';
import { useCurrentUser } from '../../shell/current-user.ts';
import { LazyNotFound } from '../../shell/lazy-not-found.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { promptText, confirmAction } from '../../ui/prompt-dialog.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { useDocumentTitle } from '../../ui/page-layout.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { EmptyState, ErrorState, LoadMore, SkeletonLines } from '../../ui/status-placeholders.tsx';
import { lazyComponent } from '../../ui/lazy.tsx';
import { showToast } from '../../ui/toast.tsx';
import { BaseDialog } from './base-dialog.tsx';
import { BaseSidebar } from './base-sidebar.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { useListSelection } from '../../ui/list-selection.ts';
import { useEntryDrop } from './entry-drag.ts';
import { sortEntries, useVisibleColumns, useSortOrder, useAllPages } from './list-view-options.ts';
import { EntryTable, TagBar } from './entry-table.tsx';
import { entryId, toRelativeFileUrl, refreshBase, useBase, useFolder, type BaseInfo } from './queries.ts';
import { SearchResults } from './search-results.tsx';
import { BaseTrashDialog } from './base-trash-dialog.tsx';
import { UploadPanel } from './upload-panel.tsx';
import { selectedFiles, enqueueUploads } from './upload-queue.ts';
import { AddUrlsDialog } from './add-urls-dialog.tsx';

const ShareDialog = lazyComponent(async () => (await import('../sharing/share-dialog.tsx')).ShareDialog);

export function BasePage(): ReactNode {
  const text = useTranslation();
  const { base: id } = useParams({ from: '/wiki/$base' });
  const { folder = id, q } = useSearch({ from: '/wiki/$base' });
  const base = useBase(id);
  useRecordBaseVisit(id);
  useDocumentTitle(base.data?.name ?? text('knowledge'));
  if (base.isPending)
    return (
      <div className="p-10">
        <SkeletonLines count={6} />
      </div>
    );
  if (base.data === null || isNotFound(base.error)) return <LazyNotFound what="base" />;
  if (base.error) return <ErrorState error={base.error} retry={() => void base.refetch()} />;
  return <OpenBase key={id} base={base.data} folder={folder} query={q ?? ''} />;
}

function OpenBase({ base, folder, query }: { base: BaseInfo; folder: string; query: string }): ReactNode {
  const text = useTranslation();
  const mayEdit = base.role_type !== 'viewer';
  const { over, handlers } = useEntryDrop(base.id, folder);
  useServerEvents(`/openapi/wiki/v1/events?knowledge_base_id=${base.id}`, () => void refreshBase(base.id));
  return (
    <div className="relative flex h-full flex-col" {...(mayEdit ? handlers : {})}>
      <BaseSidebar base={base.id} folder={folder} />
      <Header base={base} folder={folder} query={query} />
      <div className="scroll-thin min-h-0 flex-1 overflow-y-auto">
        <div className="mx-auto flex min-h-full max-w-5xl flex-col px-2 pb-10 md:px-8">
          {query === '' ? (
            <Contents key={folder} base={base} folder={folder} mayEdit={mayEdit} />
          ) : (
            <SearchResults base={base.id} query={query} />
          )}
        </div>
      </div>
      {over && (
        <div
          className={
            'pointer-events-none absolute inset-2 flex items-center justify-center rounded-2xl border-2 ' +
            'border-dashed border-accent bg-accent-soft/80 font-serif text-xl text-accent'
          }
        >
          <Upload className="mr-3" /> {text('dropHere')}
        </div>
      )}
      <UploadPanel />
    </div>
  );
}

function Header({ base, folder, query }: { base: BaseInfo; folder: string; query: string }): ReactNode {
  const text = useTranslation();
  const navigate = useNavigate();
  const me = useCurrentUser();
  const files = useRef<HTMLInputElement>(null);
  const folders = useRef<HTMLInputElement>(null);
  const [dialog, setDialog] = useState<'urls' | 'share' | 'edit' | 'trash'>();
  const close = (): void => setDialog(undefined);
  const listed = useFolder(base.id, folder);
  const path = listed.data?.pages[0]?.current_path ?? [];
  const mayEdit = base.role_type !== 'viewer';
  const isOwner = base.role_type === 'owner';

  const newFolder = async (): Promise<void> => {
    const name = await promptText({ title: text('newFolder'), label: text('name'), action: text('create') });
    if (name === undefined) return;
    await sheaf.wiki.create_folder({ knowledge_base_id: base.id, parent_folder_id: folder, name });
    await refreshBase(base.id);
  };
  const exportAll = async (): Promise<void> => {
    showToast(text('packing'));
    const { url } = await sheaf.wiki.export_knowledge_base({ knowledge_base_id: base.id });
    downloadUrl(toRelativeFileUrl(url), `${base.name}.zip`);
  };
  const remove = async (): Promise<void> => {
    const title = text('deleteBase', { name: base.name });
    const explanation = text('deleteBaseHint', { count: base.content_count });
    if (!(await confirmAction({ title, explanation, action: text('delete'), danger: true }))) return;
    await sheaf.wiki.delete_knowledge_base({ knowledge_base_id: base.id });
    await navigate({ to: '/wiki' });
    await refreshBase(base.id);
  };
  const leave = async (): Promise<void> => {
    await sheaf.wiki.remove_member({ knowledge_base_id: base.id, user_id: me!.user_id });
    await navigate({ to: '/wiki' });
    await refreshBase(base.id);
  };
  const search = (q: string | undefined): void =>
    void navigate({
      to: '/wiki/$base',
      params: { base: base.id },
      search: { folder: folder === base.id ? undefined : folder, q },
      replace: true,
    });
  const choose = (input: HTMLInputElement): void => {
    if (input.files) enqueueUploads(selectedFiles(input.files), { base: base.id, folder });
    input.value = '';
  };

  return (
    <header className="border-b border-line">
      <div className="mx-auto flex max-w-5xl flex-col gap-3 px-4 pt-5 pb-3 md:px-10">
        <div className="flex flex-wrap items-start justify-between gap-3">
          <div className="min-w-0">
            <nav aria-label={text('path')} className="flex flex-wrap items-center gap-x-1.5 text-sm text-soft">
              <Link to="/wiki" className="hover:text-ink hover:underline">
                {text('knowledge')}
              </Link>
              {path.slice(0, -1).map((each) => (
                <span key={each.folder_id} className="flex items-center gap-1.5">
                  <span aria-hidden>/</span>
                  <Link
                    to="/wiki/$base"
                    params={{ base: base.id }}
                    search={{ folder: each.folder_id === base.id ? undefined : each.folder_id }}
                    className="max-w-52 truncate hover:text-ink hover:underline"
                  >
                    {each.name}
                  </Link>
                </span>
              ))}
            </nav>
            <h1 className="font-serif text-2xl font-semibold break-words">{path.at(-1)?.name ?? base.name}</h1>
            {folder === base.id && base.description !== '' && (
              <p className="line-clamp-2 max-w-2xl text-soft">{base.description}</p>
            )}
          </div>
          <div className="flex items-center gap-1.5">
            {mayEdit && (
              <Menu
                trigger={
                  <Button variant="primary">
                    <FilePlus2 size={16} /> {text('add')}
                  </Button>
                }
                entries={[
                  { label: text('uploadFiles'), icon: <Upload size={15} />, run: () => files.current?.click() },
                  { label: text('uploadFolder'), icon: <FolderUp size={15} />, run: () => folders.current?.click() },
                  { label: text('addUrls'), icon: <Globe size={15} />, run: () => setDialog('urls') },
                  { label: text('newFolder'), icon: <FolderPlus size={15} />, run: newFolder },
                ]}
              />
            )}
            <Button aria-label={text('share')} onClick={() => setDialog('share')}>
              <Users size={16} /> <span className="hidden sm:inline">{text('share')}</span>
            </Button>
            <Menu
              trigger={
                <IconButton label={text('actionsFor', { name: base.name })}>
                  <Ellipsis size={18} />
                </IconButton>
              }
              entries={[
                isOwner && { label: text('editBase'), icon: <Pencil size={15} />, run: () => setDialog('edit') },
                { label: text('exportBase'), icon: <Download size={15} />, run: exportAll },
                mayEdit && { label: text('trash'), icon: <Trash2 size={15} />, run: () => setDialog('trash') },
                null,
                isOwner
                  ? { label: text('delete'), icon: <Trash2 size={15} />, danger: true, run: remove }
                  : { label: text('leave'), icon: <LogOut size={15} />, danger: true, run: leave },
              ]}
            />
          </div>
        </div>
        <div className="max-w-xl">
          <SearchBox value={query} label={text('searchBase')} maxLength={500} onSearch={search} />
        </div>
        <input
          ref={files}
          type="file"
          multiple
          hidden
          aria-label={text('uploadFiles')}
          onChange={(event) => choose(event.target)}
        />
        <input
          ref={folders}
          type="file"
          multiple
          hidden
          aria-label={text('uploadFolder')}
          {...{ webkitdirectory: '' }}
          onChange={(event) => choose(event.target)}
        />
        {dialog === 'urls' && <AddUrlsDialog base={base.id} folder={folder} onClose={close} />}
        {dialog === 'trash' && <BaseTrashDialog base={base.id} onClose={close} />}
        {dialog === 'share' && (
          <ShareDialog
            kind="base"
            id={base.id}
            title={base.name}
            isOwner={base.role_type === 'owner'}
            onClose={close}
          />
        )}
        {dialog === 'edit' && <BaseDialog base={base} onClose={close} />}
      </div>
    </header>
  );
}

function Contents({ base, folder, mayEdit }: { base: BaseInfo; folder: string; mayEdit: boolean }): ReactNode {
  const text = useTranslation();
  const listed = useFolder(base.id, folder);
  const [tag, setTag] = useState<string>();
  const { order, sort } = useSortOrder();
  const { shown, toggle } = useVisibleColumns();
  useAllPages(order !== undefined || tag !== undefined, listed);
  const all = listed.data?.pages.flatMap((page) => page.knowledge_list) ?? [];
  const tags = [...new Set(all.flatMap((entry) => entry.tags ?? []))].toSorted((one, other) =>
    one.localeCompare(other),
  );
  const entries = sortEntries(tag === undefined ? all : all.filter((entry) => entry.tags?.includes(tag)), order);
  const chosen = useListSelection(entries.map(entryId));
  if (listed.isPending)
    return (
      <div className="pt-3">
        <SkeletonLines count={8} className="h-13" />
      </div>
    );
  if (isNotFound(listed.error)) return <LazyNotFound what="item" isPage={false} />;
  if (listed.error) return <ErrorState error={listed.error} retry={() => void listed.refetch()} />;
  if (all.length === 0) {
    return (
      <EmptyState icon={<Upload />} title={text('emptyFolder')}>
        {text(mayEdit ? 'emptyFolderHint' : 'emptyFolderViewer')}
      </EmptyState>
    );
  }
  return (
    <>
      {chosen.ids.size > 0 && <SelectionBar base={base.id} entries={entries} chosen={chosen} />}
      <TagBar tags={tags} chosen={tag} onChoose={setTag} />
      <EntryTable
        base={base.id}
        entries={entries}
        mayEdit={mayEdit}
        chosen={chosen}
        order={order}
        onSort={sort}
        shown={shown}
        onToggle={toggle}
        onTag={setTag}
      />
      {entries.length === 0 && <p className="px-2 py-6 text-center text-soft">{text('noneWithTag')}</p>}
      <LoadMore list={listed} />
    </>
  );
}
