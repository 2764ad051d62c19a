import { infiniteQueryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ArrowLeft, Download, ExternalLink, NotebookPen, Table2 } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { isPage, mediaNumber } from '@sheaf/client/media-types';
import { cursorPages, isNotFound, queryClient, sheaf } from '../../lib/api-client.ts';
import { whenIdle } from '../../lib/when-idle.ts';
import { escapeRegExp, hitWords, parseExcerpt } from '../../lib/search-excerpt.ts';
import { LazyNotFound } from '../../shell/lazy-not-found.ts';
import { useTranslation, withSheetTexts } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/button.tsx';
import { ViewSwitch } from '../../ui/form-fields.tsx';
import { useDocumentTitle } from '../../ui/page-layout.tsx';
import { ErrorState, LoadMore, SkeletonLines, Spinner } from '../../ui/status-placeholders.tsx';
import { showErrorToast } from '../../ui/toast.tsx';
import { BaseSidebar } from './base-sidebar.tsx';
import { useAllPages } from './list-view-options.ts';
import { languageOf, viewerOf } from './item-viewer.ts';
import { DetailsToggle, ItemDetails } from './item-details.tsx';
import { ItemSteps } from './item-steps.tsx';
import { mediaKindOf } from './media-kinds.tsx';
import { PlainTextView } from './plain-text-view.tsx';
import { toRelativeFileUrl } from './queries.ts';
import { plainText, useHitPassage, useSearchHighlights } from './search-highlights.ts';
import { lazyComponent } from '../../ui/lazy.tsx';

const MarkdownOrSource = lazyComponent(async () => (await import('../notes/markdown-or-source.tsx')).MarkdownOrSource);

const HtmlPreview = lazyComponent(async () => (await import('./preview/html-preview.tsx')).HtmlPreview);
const CodePreview = lazyComponent(async () => (await import('./preview/code-preview.tsx')).CodePreview);
const MailPreview = lazyComponent(async () => (await import('./preview/mail-preview.tsx')).MailPreview);
const OfficePreview = lazyComponent(async () => (await import('./preview/office-preview.tsx')).OfficePreview);
const PdfPreview = lazyComponent(async () => (await import('./preview/pdf-preview.tsx')).PdfPreview);
const WorkbookPreview = lazyComponent(
  async () => (await withSheetTexts(import('./preview/workbook-preview.tsx'))).WorkbookPreview,
);

/**
 * Maximum length in characters of a source file (such as Markdown or HTML) that is rendered with its formatting. For
 * longer files, the extracted text is shown as plain text, which is loaded in pages.
 */
const longestSource = 2 ** 20;

const tokensAPage = 50_000;
/**
 * Maximum number of pages of an item's text (each with up to `tokensAPage` tokens) that are loaded automatically to
 * reach the passage of a search hit.
 */
const maxPagesToHit = 10;

export function ReaderPage(): ReactNode {
  const text = useTranslation();
  const { base, id } = useParams({ from: '/wiki/$base/item/$id' });
  const { q = '', at, page } = useSearch({ from: '/wiki/$base/item/$id' });
  const state = useQuery({
    queryKey: ['item', id],
    queryFn: async () => (await sheaf.wiki.get_knowledge_state({ media_ids: [id] })).states[0]!,
    refetchInterval: (query) =>
      query.state.data?.state === 'queued' || query.state.data?.state === 'parsing' ? 1000 : false,
  });
  const original = useQuery({
    queryKey: ['original', id],
    queryFn: () => sheaf.wiki.get_media_info({ media_id: id }),
    staleTime: 30 * 60_000,
  });
  const item = state.data;
  const [choice, setChoice] = useState<{ id: string; tab: 'text' | 'original' }>();
  const chosen = choice?.id === id ? choice.tab : undefined;
  const setTab = useCallback((tab: 'text' | 'original') => setChoice({ id, tab }), [id]);
  useDocumentTitle(item?.title ?? '');
  const link = original.data?.url_info?.url;
  const type = item?.media_type ?? 0;
  const isWeb = isPage(type);
  const title = item?.title ?? '';
  const look = viewerOf({ type, title, contentType: item?.content_type });
  const isWorkbook = look === 'workbook';
  // An item opens with its original file, unless a search hit points to a position in the text. The PDF viewer
  // (`pages`) can show that position itself.
  const isWhole = look === 'pages' || (q === '' && at === undefined);
  const tab = chosen ?? (look !== undefined && isWhole ? 'original' : 'text');
  const shownLook = tab === 'original' && link !== undefined ? look : undefined;
  const showText = useCallback(() => setTab('text'), [setTab]);
  useKeptText(id, shownLook !== undefined && item?.state === 'ready');
  if (isNotFound(state.error)) return <LazyNotFound what="item" />;
  return (
    <div className="flex h-full flex-col">
      <BaseSidebar base={base} />
      <header className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-2 py-2 md:px-5">
        <Link
          to="/wiki/$base"
          params={{ base }}
          search={q === '' ? {} : { q }}
          aria-label={text('back')}
          className="flex size-10 shrink-0 items-center justify-center rounded-lg text-soft hover:bg-hover"
        >
          <ArrowLeft size={18} />
        </Link>
        <h1 className="min-w-0 flex-1 truncate font-serif text-lg font-semibold">{item?.title}</h1>
        <ItemSteps base={base} id={id} />
        <DetailsToggle />
        {look !== undefined && link !== undefined && (
          <ViewSwitch<typeof tab>
            label={text('view')}
            value={tab}
            options={[
              ['text', text('richText')],
              ['original', text(look === 'pages' ? 'pagesView' : 'formatted')],
            ]}
            onChange={setTab}
          />
        )}
        {original.data?.notebook_ext_info && (
          <Link
            to="/notes/$id"
            params={{ id: original.data.notebook_ext_info.notebook_id }}
            className="flex h-9 items-center gap-2 rounded-lg px-2.5 text-soft hover:bg-hover hover:text-ink"
          >
            <NotebookPen size={16} /> {text('openNote')}
          </Link>
        )}
        {isWorkbook && link !== undefined && <OpenInSheets title={item?.title ?? ''} link={link} />}
        {link !== undefined && /^https?:/.test(link) && (
          <a
            href={isWeb ? link : `${toRelativeFileUrl(link)}&response-content-disposition=attachment`}
            {...(isWeb ? { target: '_blank', rel: 'noopener noreferrer' } : { download: item?.title })}
            aria-label={text(isWeb ? 'openPage' : 'download')}
            className="flex h-9 items-center gap-2 rounded-lg px-2.5 text-soft hover:bg-hover hover:text-ink"
          >
            {isWeb ? <ExternalLink size={16} /> : <Download size={16} />}
            <span className="hidden sm:inline">{text(isWeb ? 'openPage' : 'download')}</span>
          </a>
        )}
      </header>
      <div className="flex min-h-0 flex-1">
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          {state.error ? (
            <ErrorState error={state.error} retry={() => void state.refetch()} />
          ) : item === undefined ? (
            <div className="mx-auto w-full max-w-3xl p-8">
              <SkeletonLines count={6} className="h-5" />
            </div>
          ) : shownLook === 'workbook' ? (
            <WorkbookPreview fallback={<div className="min-h-0 flex-1" aria-busy />} id={id} onUnfit={showText} />
          ) : shownLook === 'pages' && link !== undefined ? (
            <Pages key={id} {...{ id, base, link, title, page, at }} query={q} onMissing={showText} />
          ) : (
            <div className="scroll-thin min-h-0 flex-1 overflow-y-auto">
              <article className="mx-auto flex max-w-3xl flex-col gap-6 px-5 py-8 md:px-8">
                {type === mediaNumber.image && link !== undefined && (
                  <img
                    src={toRelativeFileUrl(link)}
                    alt={item.title}
                    className="max-h-[70dvh] max-w-full self-center rounded-xl border border-line object-contain"
                  />
                )}
                {type === mediaNumber.audio && link !== undefined && (
                  <audio
                    controls
                    preload="metadata"
                    src={toRelativeFileUrl(link)}
                    className="w-full"
                    aria-label={item.title}
                  />
                )}
                {shownLook === 'mail' ? (
                  <MailPreview fallback={<SkeletonLines count={8} className="h-5" />} id={id} onUnfit={showText} />
                ) : link !== undefined && (shownLook === 'markdown' || shownLook === 'html' || shownLook === 'code') ? (
                  <SourceFile key={id} id={id} link={link} look={shownLook} title={title} onUnfit={showText} />
                ) : shownLook === 'office' && link !== undefined ? (
                  <OfficePreview
                    fallback={<SkeletonLines count={8} className="h-5" />}
                    link={link}
                    type={type}
                    onUnfit={showText}
                  />
                ) : item.state === 'ready' ? (
                  <>
                    {item.reason !== '' && type !== mediaNumber.image && (
                      <p className="rounded-xl bg-hover px-4 py-3 text-soft">{item.reason}</p>
                    )}
                    <ItemText key={id} id={id} base={base} query={q} at={at} type={type} />
                  </>
                ) : item.state === 'failed' ? (
                  <p role="alert" className="rounded-xl bg-danger-soft px-4 py-3 text-danger">
                    {item.reason}
                  </p>
                ) : (
                  <Spinner label={text(item.state === 'queued' ? 'queued' : 'parsing')} />
                )}
                <p className="border-t border-line pt-3 text-sm text-faint">{text(mediaKindOf(type).label)}</p>
              </article>
            </div>
          )}
        </div>
        <ItemDetails base={base} id={id} type={type} />
      </div>
    </div>
  );
}

interface PagesProps {
  id: string;
  base: string;
  link: string;
  title: string;
  page: string | undefined;
  query: string;
  at: number | undefined;
  onMissing: () => void;
}

/** Shows a PDF file and highlights the passage of the search from which the file was opened. */
function Pages({ id, base, link, query, at, ...rest }: PagesProps): ReactNode {
  const sought = useSearchHighlights({ id, base, query, at });
  return (
    <PdfPreview
      fallback={<div className="min-h-0 flex-1" aria-busy />}
      address={toRelativeFileUrl(link)}
      sought={sought}
      {...rest}
    />
  );
}

/** Button that imports the file as a new spreadsheet. The original file stays unchanged. */
function OpenInSheets({ title, link }: { title: string; link: string }): ReactNode {
  const text = useTranslation();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const open = async (): Promise<void> => {
    const { importDocument } = await withSheetTexts(import('../sheets/panels/document-actions.ts'));
    const bytes = await (await fetch(toRelativeFileUrl(link))).blob();
    const { file_id: id } = await importDocument(
      new File([bytes], title),
      () => undefined,
      new AbortController().signal,
    );
    await navigate({ to: '/sheet/$id', params: { id } });
  };
  return (
    <Button
      variant="quiet"
      disabled={busy}
      onClick={() => {
        setBusy(true);
        open()
          .catch(showErrorToast)
          .finally(() => setBusy(false));
      }}
    >
      <Table2 size={16} /> <span className="sr-only sm:not-sr-only">{text('openInSheets')}</span>
    </Button>
  );
}

interface SourceFileProps {
  id: string;
  link: string;
  look: 'markdown' | 'html' | 'code';
  title: string;
  onUnfit: () => void;
}

/** Shows a source file (such as Markdown, HTML or code) in its rendered form. */
function SourceFile({ id, link, look, title, onUnfit }: SourceFileProps): ReactNode {
  const file = useQuery({
    queryKey: ['file', id],
    queryFn: async () => (await fetch(toRelativeFileUrl(link))).text(),
    staleTime: 60_000,
  });
  const isUnfit = file.isError || (file.data?.length ?? 0) > longestSource;
  useEffect(() => {
    if (isUnfit) onUnfit();
  }, [isUnfit, onUnfit]);
  const fallback = <SkeletonLines count={8} className="h-5" />;
  if (file.data === undefined || isUnfit) return fallback;
  if (look === 'html') return <HtmlPreview fallback={fallback} source={file.data} onUnfit={onUnfit} />;
  if (look === 'code') return <CodePreview fallback={fallback} source={file.data} language={languageOf(title) ?? ''} />;
  return <MarkdownOrSource fallback={fallback} text={file.data} />;
}

function textQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: ['content', id],
    queryFn: ({ pageParam }) =>
      sheaf.wiki.get_knowledge_content({ media_id: id, max_tokens: tokensAPage, marks: false, cursor: pageParam }),
    ...cursorPages,
    staleTime: 60_000,
  });
}

/**
 * Loads the extracted text of an item whose original file is displayed, so that the service worker caches the text
 * for offline use.
 */
function useKeptText(id: string, isDue: boolean): void {
  useEffect(() => {
    if (!isDue || !navigator.serviceWorker?.controller) return undefined;
    return whenIdle(() => void queryClient.prefetchInfiniteQuery(textQuery(id)));
  }, [id, isDue]);
}

interface ItemTextProps {
  id: string;
  base: string;
  query: string;
  /**
   * Character offset in the item's text to scroll to, taken from the URL. Undefined to scroll to the passage that the
   * search `query` finds.
   */
  at: number | undefined;
  type: number;
}

function ItemText({ id, base, query, at, type }: ItemTextProps): ReactNode {
  const text = useTranslation();
  const content = useInfiniteQuery(textQuery(id));
  // Find the passage of the search hit in the item's text, to scroll to it.
  const passage = useHitPassage(base, query, id);
  const whole = content.data?.pages.map((page) => page.content).join('') ?? '';
  const words = useMemo(() => hitWords(passage), [passage]);
  const found = useMemo(() => findPassageOffset(whole, passage), [whole, passage]);
  const place = at === undefined ? found : at < whole.length ? at : undefined;
  const isWanted = passage !== '' || at !== undefined;
  useAllPages(isWanted && place === undefined, content, maxPagesToHit);
  const here = useRef<HTMLElement>(null);
  useEffect(() => {
    const show = (): void => here.current?.scrollIntoView({ block: 'center' });
    show();
    // Scroll several times, because paragraphs that come into view get their real height, which moves the scroll
    // target.
    const timers = [50, 200].map((ms) => setTimeout(show, ms));
    return () => timers.forEach(clearTimeout);
  }, [place]);
  if (content.isPending) return <SkeletonLines count={8} className="h-5" />;
  if (content.error) return <ErrorState error={content.error} retry={() => void content.refetch()} />;
  if (whole.trim() === '')
    return (
      <p className="text-faint">
        {text(type === mediaNumber.image || type === mediaNumber.audio ? 'noTextMedia' : 'noText')}
      </p>
    );
  return (
    <>
      <PlainTextView text={whole} words={words} place={place} here={here} />
      <LoadMore list={content} variant="plain" className="" />
    </>
  );
}

/**
 * Returns the character offset of the first marked search word of the passage in the text, or of the passage itself if
 * no word is marked. Returns undefined if the text does not contain the passage. White space of any length matches,
 * because the server collapses white space in passages.
 */
function findPassageOffset(whole: string, passage: string): number | undefined {
  const plain = plainText(passage);
  if (plain === '') return undefined;
  const pattern = plain.split(/\s+/).map(escapeRegExp).join('\\s+');
  const start = whole.search(new RegExp(pattern, 'u'));
  if (start < 0) return undefined;
  const first = parseExcerpt(passage).find((piece) => piece.found)?.text;
  const inside = first === undefined ? -1 : whole.indexOf(first, start);
  return inside < 0 ? start : inside;
}
