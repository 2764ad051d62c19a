import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { FileUp, NotebookPen, Share } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { queryClient, sheaf } from '../../lib/api-client.ts';
import { formatBytes } from '../../lib/format.ts';
import { useLanguage, useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/button.tsx';
import { Field, SelectField, TextArea, TextField } from '../../ui/form-fields.tsx';
import { Page, Section } from '../../ui/page-layout.tsx';
import { EmptyState, SkeletonLines } from '../../ui/status-placeholders.tsx';
import { showErrorToast } from '../../ui/toast.tsx';
import { enqueueUploads } from '../knowledge/upload-queue.ts';
import { createNote } from '../notes/note-ids.ts';
import { deleteSharedContent, readSharedContent, type SharedFromApp } from './read-shared-content.ts';

/**
 * Shows content that another app shared. Nothing is saved until the user presses a button, because any website can open
 * this page with content of its choice.
 */
export function SharePage(): ReactNode {
  const text = useTranslation();
  const navigate = useNavigate();
  const shared = useQuery({
    queryKey: ['share'],
    queryFn: async () => (await readSharedContent(location.search)) ?? null,
    staleTime: Infinity,
  });
  const leave = async (): Promise<void> => {
    await deleteSharedContent();
    queryClient.removeQueries({ queryKey: ['share'] });
    await navigate({ to: '/', replace: true });
  };
  if (shared.isPending) return <SkeletonLines />;
  if (!shared.data)
    return (
      <EmptyState icon={<Share />} title={text('nothingReceived')} isPage children={text('nothingReceivedHint')} />
    );
  return (
    <Page
      title={text('sharedWithPage')}
      lead={text('sharedWithPageHint')}
      actions={<Button onClick={() => leave().catch(showErrorToast)}>{text('discardShared')}</Button>}
    >
      {(shared.data.text !== '' || shared.data.files.length === 0) && <NoteForm shared={shared.data} />}
      {shared.data.files.length > 0 && <UploadForm shared={shared.data} />}
    </Page>
  );
}

/** Deletes the shared content after it was saved, so that going back does not offer it again. */
async function finish(): Promise<void> {
  await deleteSharedContent();
  queryClient.removeQueries({ queryKey: ['share'] });
}

function NoteForm({ shared }: { shared: SharedFromApp }): ReactNode {
  const text = useTranslation();
  const navigate = useNavigate();
  const [title, setTitle] = useState(shared.title);
  const [content, setContent] = useState(shared.text);
  const [isBusy, setBusy] = useState(false);
  const make = async (): Promise<void> => {
    const id = await createNote(
      `# ${title.trim() === '' ? text('untitled') : title.trim()}\n\n${content}\n`,
      undefined,
    );
    if (shared.files.length === 0) await finish();
    await navigate({ to: '/notes/$id', params: { id }, replace: shared.files.length === 0 });
  };
  return (
    <Section title={text('newNote')}>
      <form
        className="flex max-w-3xl flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          setBusy(true);
          make()
            .catch(showErrorToast)
            .finally(() => setBusy(false));
        }}
      >
        <TextField label={text('title')} value={title} maxLength={200} onChange={setTitle} />
        <Field label={text('noteText')}>
          {(ids) => <TextArea {...ids} rows={8} value={content} onChange={({ target }) => setContent(target.value)} />}
        </Field>
        <div>
          <Button type="submit" variant="primary" disabled={isBusy}>
            <NotebookPen size={16} /> {text('makeNote')}
          </Button>
        </div>
      </form>
    </Section>
  );
}

function UploadForm({ shared: { files, leftOut } }: { shared: SharedFromApp }): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  const navigate = useNavigate();
  const [chosen, setChosen] = useState('');
  const bases = useQuery({
    queryKey: ['addable'],
    queryFn: () => sheaf.wiki.get_addable_knowledge_base_list({ cursor: '', limit: 50 }),
  });
  const list = bases.data?.addable_knowledge_base_list ?? [];
  const base = list.find((each) => each.id === chosen) ?? list[0];
  const upload = async (into: string): Promise<void> => {
    await finish();
    enqueueUploads(
      files.map((file) => ({ file, path: [] })),
      { base: into, folder: into },
    );
    await navigate({ to: '/wiki/$base', params: { base: into }, replace: true });
  };
  return (
    <Section title={text('uploadFiles')}>
      <div className="flex max-w-3xl flex-col gap-4">
        <ul className="divide-y divide-line rounded-xl border border-line">
          {files.map((file, index) => (
            <li key={index} className="flex items-center justify-between gap-3 px-4 py-2">
              <span className="min-w-0 truncate">{file.name}</span>
              <span className="shrink-0 text-sm text-faint">{formatBytes(file.size, language)}</span>
            </li>
          ))}
        </ul>
        {leftOut > 0 && <p className="text-sm text-warn">{text('sharedLeftOut', { count: leftOut })}</p>}
        {bases.isPending ? (
          <SkeletonLines count={1} className="h-9" />
        ) : base ? (
          <SelectField
            label={text('knowledgeBase')}
            value={base.id}
            options={list.map(({ id, name }) => [id, name])}
            onChange={setChosen}
          />
        ) : (
          <p className="text-soft">
            {text('noBaseForFiles')}{' '}
            <Link to="/wiki" className="font-medium text-accent underline underline-offset-2">
              {text('knowledge')}
            </Link>
          </p>
        )}
        <div>
          <Button
            variant="primary"
            disabled={!base}
            onClick={() => {
              if (base) upload(base.id).catch(showErrorToast);
            }}
          >
            <FileUp size={16} /> {text('uploadFiles')}
          </Button>
        </div>
      </div>
    </Section>
  );
}
