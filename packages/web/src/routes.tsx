import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { firstBasesQuery, recentNotesQuery, recentSheetsQuery, writesQuery } from './features/home/queries.ts';
import { queryClient } from './lib/api-client.ts';
import { isLocalNoteId } from './lib/prefetch.ts';
import { noteOrder, noteQuery, noteVersionQuery, notesQuery } from './features/notes/queries.ts';
import { preloadDocument } from './features/sheets/preload-document.ts';
import { sheetsQuery } from './features/sheets/queries.ts';
import { withAccountTexts, withCommentTexts, withKnowledgeTexts, withSheetTexts } from './i18n/use-translation.ts';
import { parseSearchFilters, searchQuery } from './features/search/queries.ts';
import { currentUserQuery } from './shell/current-user.ts';
import { LazyNotFound } from './shell/lazy-not-found.ts';
import { AppShell } from './shell/app-shell.tsx';
import { ErrorState } from './ui/status-placeholders.tsx';
import { baseQuery, basesQuery, folderQuery } from './features/knowledge/queries.ts';

let isFirst = document.documentElement.dataset['guest'] === undefined;

/**
 * Prefetches data for the first page while the page's code is loading. Does nothing on later pages, because they load
 * their data themselves and show a loading state. Failures are not reported here but by the page.
 */
async function prefetchOnFirstPage(...asks: (() => Promise<unknown>)[]): Promise<void> {
  if (isFirst) await Promise.all(asks.map((ask) => ask()));
}

const prefetchQuery = queryClient.prefetchQuery.bind(queryClient);
const prefetchPages = queryClient.prefetchInfiniteQuery.bind(queryClient);

const root = createRootRoute({
  loader: () => prefetchOnFirstPage(() => prefetchQuery(currentUserQuery)),
  component: AppShell,
  notFoundComponent: () => <LazyNotFound what="page" />,
  errorComponent: ({ error }) => <ErrorState error={error} retry={() => location.reload()} />,
});

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  loader: () =>
    prefetchOnFirstPage(
      () => prefetchQuery(recentNotesQuery),
      () => prefetchQuery(firstBasesQuery),
      () => prefetchQuery(recentSheetsQuery),
      () => prefetchQuery(writesQuery('people')),
      () => prefetchQuery(writesQuery('apps')),
    ),
  component: lazyRouteComponent(() => import('./features/home/page.tsx'), 'HomePage'),
});

const parseText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;

interface ListSearch {
  folder?: string | undefined;
  tag?: string | undefined;
  q?: string | undefined;
}

const parseListSearch = (given: Record<string, unknown>): ListSearch => ({
  folder: parseText(given['folder']),
  tag: parseText(given['tag']),
  q: parseText(given['q']),
});

const notesPage = lazyRouteComponent(() => import('./features/notes/page.tsx'), 'NotesPage');
const notes = createRoute({
  getParentRoute: () => root,
  path: '/notes',
  validateSearch: parseListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) =>
    prefetchOnFirstPage(() =>
      prefetchPages(notesQuery({ folder: deps.folder, query: deps.q ?? '', tag: deps.tag, order: noteOrder.get() })),
    ),
  component: notesPage,
});
const note = createRoute({
  getParentRoute: () => root,
  path: '/notes/$id',
  validateSearch: (given: Record<string, unknown>): ListSearch & { find?: string | undefined } => ({
    ...parseListSearch(given),
    find: parseText(given['find']),
  }),
  loader: ({ params }) =>
    isLocalNoteId(params.id)
      ? undefined
      : prefetchOnFirstPage(
          () => prefetchQuery(noteQuery(params.id)),
          () => prefetchQuery(noteVersionQuery(params.id)),
        ),
  component: notesPage,
});

const bases = createRoute({
  getParentRoute: () => root,
  path: '/wiki',
  loader: () => prefetchOnFirstPage(() => prefetchQuery(basesQuery)),
  component: lazyRouteComponent(() => withKnowledgeTexts(import('./features/knowledge/bases-page.tsx')), 'BasesPage'),
});
const base = createRoute({
  getParentRoute: () => root,
  path: '/wiki/$base',
  validateSearch: parseListSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ params, deps }) =>
    prefetchOnFirstPage(
      () => prefetchQuery(baseQuery(params.base)),
      () => prefetchPages(folderQuery(params.base, deps.folder ?? params.base)),
    ),
  component: lazyRouteComponent(() => withKnowledgeTexts(import('./features/knowledge/base-page.tsx')), 'BasePage'),
});
const item = createRoute({
  getParentRoute: () => root,
  path: '/wiki/$base/item/$id',
  validateSearch: (
    given: Record<string, unknown>,
  ): ListSearch & { at?: number | undefined; page?: string | undefined } => ({
    ...parseListSearch(given),
    page: parseText(given['page']),
    at: typeof given['at'] === 'number' && given['at'] >= 0 ? given['at'] : undefined,
  }),
  component: lazyRouteComponent(() => withKnowledgeTexts(import('./features/knowledge/reader-page.tsx')), 'ReaderPage'),
});

const search = createRoute({
  getParentRoute: () => root,
  path: '/search',
  validateSearch: parseSearchFilters,
  loaderDeps: ({ search: asked }) => asked,
  loader: ({ deps }) => prefetchOnFirstPage(async () => deps.q === undefined || prefetchPages(searchQuery(deps))),
  component: lazyRouteComponent(() => import('./features/search/page.tsx'), 'SearchPage'),
});

const sheets = createRoute({
  getParentRoute: () => root,
  path: '/sheet',
  loader: () => prefetchOnFirstPage(() => prefetchPages(sheetsQuery(false))),
  component: lazyRouteComponent(() => withSheetTexts(import('./features/sheets/document-list-page.tsx')), 'SheetsPage'),
});
const sheet = createRoute({
  getParentRoute: () => root,
  path: '/sheet/$id',
  validateSearch: (given: Record<string, unknown>): { tab?: string | undefined; find?: string | undefined } => ({
    tab: parseText(given['tab']),
    find: parseText(given['find']),
  }),
  loader: ({ params, location }) =>
    prefetchOnFirstPage(() =>
      preloadDocument(params.id, parseText((location.search as Record<string, unknown>)['tab'])),
    ),
  component: lazyRouteComponent(() => withSheetTexts(import('./features/sheets/page.tsx')), 'SheetPage'),
});

const shared = createRoute({
  getParentRoute: () => root,
  path: '/shared',
  validateSearch: (given: Record<string, unknown>): { folder?: string | undefined } => ({
    folder: parseText(given['folder']),
  }),
  component: lazyRouteComponent(() => import('./features/sharing/shared-page.tsx'), 'SharedPage'),
});

const share = createRoute({
  getParentRoute: () => root,
  path: '/share',
  component: lazyRouteComponent(
    () => withKnowledgeTexts(import('./features/share-target/share-page.tsx')),
    'SharePage',
  ),
});

const inbox = createRoute({
  getParentRoute: () => root,
  path: '/inbox',
  component: lazyRouteComponent(() => withCommentTexts(import('./features/inbox/page.tsx')), 'InboxPage'),
});

const account = createRoute({
  getParentRoute: () => root,
  path: '/account/$section',
  component: lazyRouteComponent(() => withAccountTexts(import('./features/account/page.tsx')), 'AccountPage'),
});

const accountStart = createRoute({
  getParentRoute: () => root,
  path: '/account',
  beforeLoad: () => {
    throw redirect({ to: '/account/$section', params: { section: 'profile' }, replace: true });
  },
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    notes,
    note,
    bases,
    base,
    item,
    search,
    sheets,
    sheet,
    shared,
    share,
    inbox,
    accountStart,
    account,
  ]),
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
});

/** Loads the code and the prefetched data of the page at the current URL. */
export async function loadFirstPage(): Promise<void> {
  try {
    await router.load();
  } finally {
    isFirst = false;
  }
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
