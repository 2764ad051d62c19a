import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { NotFound } from './shell/not-found.tsx';
import { Shell } from './shell/shell.tsx';
import { Failed } from './ui/states.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound, errorComponent: ({ error }) => <Failed error={error} retry={() => location.reload()} /> });

const home = createRoute({ getParentRoute: () => root, path: '/', component: lazyRouteComponent(() => import('./home/page.tsx'), 'HomePage') });

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined);

interface NotesSearch {
  folder?: string | undefined;
  q?: string | undefined;
}

const notesPage = lazyRouteComponent(() => import('./notes/page.tsx'), 'NotesPage');
const notesSearch = (given: Record<string, unknown>): NotesSearch => ({ folder: text(given['folder']), q: text(given['q']) });
const notes = createRoute({ getParentRoute: () => root, path: '/notes', component: notesPage, validateSearch: notesSearch });
const note = createRoute({ getParentRoute: () => root, path: '/notes/$id', component: notesPage, validateSearch: notesSearch });

interface BaseSearch {
  folder?: string | undefined;
  q?: string | undefined;
}

const baseSearch = (given: Record<string, unknown>): BaseSearch => ({ folder: text(given['folder']), q: text(given['q']) });
const bases = createRoute({ getParentRoute: () => root, path: '/wiki', component: lazyRouteComponent(() => import('./wiki/bases-page.tsx'), 'BasesPage') });
const base = createRoute({ getParentRoute: () => root, path: '/wiki/$base', validateSearch: baseSearch, component: lazyRouteComponent(() => import('./wiki/base-page.tsx'), 'BasePage') });
const item = createRoute({ getParentRoute: () => root, path: '/wiki/$base/item/$id', validateSearch: baseSearch, component: lazyRouteComponent(() => import('./wiki/reader-page.tsx'), 'ReaderPage') });

const sheets = createRoute({ getParentRoute: () => root, path: '/sheet', component: lazyRouteComponent(() => import('./sheets/documents.tsx'), 'SheetsPage') });
const sheet = createRoute({
  getParentRoute: () => root,
  path: '/sheet/$id',
  validateSearch: (given: Record<string, unknown>): { tab?: string | undefined } => ({ tab: text(given['tab']) }),
  component: lazyRouteComponent(() => import('./sheets/page.tsx'), 'SheetPage'),
});

const account = createRoute({ getParentRoute: () => root, path: '/account/$section', component: lazyRouteComponent(() => import('./account/page.tsx'), 'AccountPage') });

export const router = createRouter({
  routeTree: root.addChildren([home, notes, note, bases, base, item, sheets, sheet, account]),
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
