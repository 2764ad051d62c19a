import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { firstBasesQuery, recentNotesQuery, recentSheetsQuery } from './home/queries.ts';
import { queries } from './lib/client.ts';
import { isUnmadeNote } from './lib/early.ts';
import { noteQuery, noteVersionQuery, notesQuery } from './notes/queries.ts';
import { prepareDocument } from './sheets/prepare.ts';
import { sheetsQuery } from './sheets/queries.ts';
import { readAsked, searchQuery } from './search/queries.ts';
import { meQuery } from './shell/me.ts';
import { Missing } from './shell/missing.ts';
import { Shell } from './shell/shell.tsx';
import { Failed } from './ui/states.tsx';
import { baseQuery, basesQuery, folderQuery } from './wiki/queries.ts';

let isFirst = document.documentElement.dataset['guest'] === undefined;

/**
 * Prefetches data for the first page while its code loads. Later pages load their data themselves and show a loading
 * state. Failures are reported by the page.
 */
async function first(...asks: (() => Promise<unknown>)[]): Promise<void> {
  if (isFirst) await Promise.all(asks.map((ask) => ask()));
}

const ask = queries.prefetchQuery.bind(queries);
const askPages = queries.prefetchInfiniteQuery.bind(queries);

const root = createRootRoute({
  loader: () => first(() => ask(meQuery)),
  component: Shell,
  notFoundComponent: () => <Missing what="page" />,
  errorComponent: ({ error }) => <Failed error={error} retry={() => location.reload()} />,
});

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  loader: () =>
    first(
      () => ask(recentNotesQuery),
      () => ask(firstBasesQuery),
      () => ask(recentSheetsQuery),
    ),
  component: lazyRouteComponent(() => import('./home/page.tsx'), 'HomePage'),
});

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;

/** Folder and search text of a list page. */
interface Place {
  folder?: string | undefined;
  q?: string | undefined;
}

const place = (given: Record<string, unknown>): Place => ({ folder: text(given['folder']), q: text(given['q']) });

const notesPage = lazyRouteComponent(() => import('./notes/page.tsx'), 'NotesPage');
const notes = createRoute({
  getParentRoute: () => root,
  path: '/notes',
  validateSearch: place,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => first(() => askPages(notesQuery(deps.folder, deps.q ?? ''))),
  component: notesPage,
});
const note = createRoute({
  getParentRoute: () => root,
  path: '/notes/$id',
  validateSearch: (given: Record<string, unknown>): Place & { find?: string | undefined } => ({
    ...place(given),
    find: text(given['find']),
  }),
  loader: ({ params }) =>
    isUnmadeNote(params.id)
      ? undefined
      : first(
          () => ask(noteQuery(params.id)),
          () => ask(noteVersionQuery(params.id)),
        ),
  component: notesPage,
});

const bases = createRoute({
  getParentRoute: () => root,
  path: '/wiki',
  loader: () => first(() => ask(basesQuery)),
  component: lazyRouteComponent(() => import('./wiki/bases-page.tsx'), 'BasesPage'),
});
const base = createRoute({
  getParentRoute: () => root,
  path: '/wiki/$base',
  validateSearch: place,
  loaderDeps: ({ search }) => search,
  loader: ({ params, deps }) =>
    first(
      () => ask(baseQuery(params.base)),
      () => askPages(folderQuery(params.base, deps.folder ?? params.base)),
    ),
  component: lazyRouteComponent(() => import('./wiki/base-page.tsx'), 'BasePage'),
});
const item = createRoute({
  getParentRoute: () => root,
  path: '/wiki/$base/item/$id',
  validateSearch: (given: Record<string, unknown>): Place & { at?: number | undefined; page?: string | undefined } => ({
    ...place(given),
    page: text(given['page']),
    at: typeof given['at'] === 'number' && given['at'] >= 0 ? given['at'] : undefined,
  }),
  component: lazyRouteComponent(() => import('./wiki/reader-page.tsx'), 'ReaderPage'),
});

const search = createRoute({
  getParentRoute: () => root,
  path: '/search',
  validateSearch: readAsked,
  loaderDeps: ({ search: asked }) => asked,
  loader: ({ deps }) => first(async () => deps.q === undefined || askPages(searchQuery(deps))),
  component: lazyRouteComponent(() => import('./search/page.tsx'), 'SearchPage'),
});

const sheets = createRoute({
  getParentRoute: () => root,
  path: '/sheet',
  loader: () => first(() => askPages(sheetsQuery(false))),
  component: lazyRouteComponent(() => import('./sheets/documents.tsx'), 'SheetsPage'),
});
const sheet = createRoute({
  getParentRoute: () => root,
  path: '/sheet/$id',
  validateSearch: (given: Record<string, unknown>): { tab?: string | undefined; find?: string | undefined } => ({
    tab: text(given['tab']),
    find: text(given['find']),
  }),
  loader: ({ params, location }) =>
    first(() => prepareDocument(params.id, text((location.search as Record<string, unknown>)['tab']))),
  component: lazyRouteComponent(() => import('./sheets/page.tsx'), 'SheetPage'),
});

const account = createRoute({
  getParentRoute: () => root,
  path: '/account/$section',
  component: lazyRouteComponent(() => import('./account/page.tsx'), 'AccountPage'),
});

const accountStart = createRoute({
  getParentRoute: () => root,
  path: '/account',
  beforeLoad: () => {
    throw redirect({ to: '/account/$section', params: { section: 'profile' }, replace: true });
  },
});

export const router = createRouter({
  routeTree: root.addChildren([home, notes, note, bases, base, item, search, sheets, sheet, accountStart, account]),
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
});

/** Loads the code and the first data of the page at the current address. */
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
