import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { House, Inbox, Library, NotebookPen, PanelLeft, Search, Table2, UserRound, Users } from 'lucide-react';
import { Suspense, useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { SheafError } from '../lib/api-client.ts';
import { errorCodes } from '../lib/error-codes.ts';
import { commandKeyLabel, useCommandShortcut, useKeyShortcut } from '../lib/keyboard-shortcuts.ts';
import { whenIdle } from '../lib/when-idle.ts';
import { useSidebarVisible } from '../lib/media-queries.ts';
import { Setting, storageKeys, useSetting } from '../lib/browser-storage.ts';
import { oldestCachedAt } from '../lib/cached-responses.ts';
import { NewNoteField } from '../features/notes/new-note-field.tsx';
import { useTranslation, withSheetTexts, type MessageKey } from '../i18n/use-translation.ts';
import { PromptDialogHost } from '../ui/prompt-dialog.tsx';
import { ErrorState } from '../ui/status-placeholders.tsx';
import { useStore } from '../ui/store.ts';
import { Toaster } from '../ui/toast.tsx';
import { Logo } from './logo.tsx';
import { InboxCount } from './inbox-count.tsx';
import { applyProfile, currentUserQuery, type CurrentUser } from './current-user.ts';
import { SidebarSlot } from './sidebar-slot.tsx';
import { lazyComponent } from '../ui/lazy.tsx';

// Loaded on demand, because a signed-in user does not need these components when the app opens.
const SignInForm = lazyComponent(async () => (await import('./sign-in-form.tsx')).SignInForm);
const CommandPalette = lazyComponent(async () => (await import('./command-palette.tsx')).CommandPalette);
const OfflineBanner = lazyComponent(async () => (await import('../offline/offline-banner.tsx')).OfflineBanner);

interface NavigationItem {
  to: '/' | '/wiki' | '/notes' | '/sheet' | '/shared' | '/inbox';
  label: MessageKey;
  icon: ReactNode;
}

const navigationItems: readonly NavigationItem[] = [
  { to: '/', label: 'home', icon: <House size={18} /> },
  { to: '/inbox', label: 'inbox', icon: <Inbox size={18} /> },
  { to: '/wiki', label: 'knowledge', icon: <Library size={18} /> },
  { to: '/notes', label: 'notes', icon: <NotebookPen size={18} /> },
  { to: '/sheet', label: 'sheets', icon: <Table2 size={18} /> },
  { to: '/shared', label: 'shared', icon: <Users size={18} /> },
];

export function AppShell(): ReactNode {
  const [guest, setGuest] = useState(document.documentElement.dataset['guest'] !== undefined);
  const me = useQuery({ ...currentUserQuery, enabled: !guest });
  if (guest) {
    return (
      <SignInForm
        fallback={<div className="h-full" aria-busy />}
        onDone={() => {
          delete document.documentElement.dataset['guest'];
          setGuest(false);
        }}
      />
    );
  }
  if (me.isPending) return <div className="h-full" aria-busy />;
  if (me.error instanceof SheafError && me.error.code === errorCodes.account.unauthenticated)
    return <SignInForm fallback={<div className="h-full" aria-busy />} onDone={() => void me.refetch()} />;
  // Show the error only if the first request failed. A failed refetch must not replace the page that is already shown.
  if (!me.data) return <ErrorState error={me.error} retry={() => void me.refetch()} />;
  return <Workspace name={me.data.profile?.display_name || me.data.name} me={me.data} />;
}

/**
 * Sends spreadsheet edits and note drafts that earlier page loads could not send and left in the browser's storage.
 * Runs on whichever page the user opens.
 */
function useResumePendingEdits(userId: string): void {
  useEffect(() => {
    const isKept = (prefix: string): boolean => storageKeys().some((key) => key.startsWith(prefix));
    const hasEdits = isKept(`sheaf.outbox/${userId}/`);
    const hasDrafts = isKept('sheaf.draft.');
    if (!hasEdits && !hasDrafts) return undefined;
    const resume = async (): Promise<void> => {
      if (hasEdits) (await withSheetTexts(import('../features/sheets/sheet-outbox.ts'))).resumePendingEdits(userId);
      if (hasDrafts) await (await import('../features/notes/resume-drafts.ts')).resumeDrafts();
    };
    return whenIdle(() => void resume().catch((error: unknown) => console.info('kept edits', error)));
  }, [userId]);
}

function Workspace({ name, me: { user_id: userId, profile } }: { name: string; me: CurrentUser }): ReactNode {
  const text = useTranslation();
  useResumePendingEdits(userId);
  useEffect(() => applyProfile(profile), [profile]);
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const [searching, setSearching] = useState(false);
  const open = useCallback(() => setSearching(true), []);
  useCommandShortcut('k', open);
  useKeyShortcut('/', open);
  const main = useFocusOnNavigation();
  const hasSideBar = useSidebarVisible();
  const since = useStore(oldestCachedAt);
  return (
    <SidebarSlot value={slot}>
      <div className="flex h-full flex-col">
        {since !== undefined && <OfflineBanner since={since} />}
        <div className="flex min-h-0 flex-1 flex-col md:flex-row">
          <a
            href="#main"
            className="sr-only z-50 rounded-lg bg-accent px-3 py-2 text-accent-ink focus:not-sr-only focus:absolute focus:top-2 focus:left-2"
          >
            {text('skip')}
          </a>
          {hasSideBar && <SideBar name={name} picture={profile?.picture} onSearch={open} onSlot={setSlot} />}
          <main id="main" ref={main} tabIndex={-1} className="relative min-h-0 min-w-0 flex-1 outline-none">
            <NewNoteField />
            <Suspense fallback={<div className="h-full" aria-busy />}>
              <Outlet />
            </Suspense>
          </main>
          {!hasSideBar && <BottomBar onSearch={open} />}
        </div>
      </div>
      {searching && <CommandPalette onClose={() => setSearching(false)} />}
      <PromptDialogHost />
      <Toaster />
    </SidebarSlot>
  );
}

interface SideBarProps {
  name: string;
  picture: string | undefined;
  onSearch: () => void;
  onSlot: (element: HTMLElement | null) => void;
}

/** Setting: whether the sidebar stays expanded beside a spreadsheet. By default it is collapsed to its icons. */
const besideSheet = new Setting('sidebar', ['folded', 'open'], 'folded');

const sideLink =
  'relative flex h-9 items-center gap-2.5 rounded-lg px-2.5 text-soft hover:bg-hover hover:text-ink ' +
  'data-[here]:bg-accent-soft data-[here]:font-medium data-[here]:text-accent';

function SideBar({ name, picture, onSearch, onSlot }: SideBarProps): ReactNode {
  const text = useTranslation();
  const isAtAccount = useIsActivePath('/account');
  const isAtSheet = useIsActivePath('/sheet/');
  const isFolded = useSetting(besideSheet) === 'folded' && isAtSheet;
  const word = isFolded ? 'sr-only' : 'truncate';
  return (
    <nav
      aria-label={text('mainNavigation')}
      className={`flex shrink-0 flex-col gap-3 border-r border-line bg-panel py-4 ${isFolded ? 'w-14 px-2' : 'w-60 px-3'}`}
    >
      <Link to="/" title="sheaf" className="flex items-center gap-2.5 rounded-lg px-2 font-serif text-lg font-semibold">
        <Logo /> <span className={word}>sheaf</span>
      </Link>
      <button
        type="button"
        onClick={onSearch}
        title={text('search')}
        className="flex h-9 items-center gap-2.5 rounded-lg border border-line bg-raised px-2.5 text-[0.933rem] text-soft hover:border-strong-line"
      >
        <Search size={16} className="shrink-0" />
        <span className={isFolded ? 'sr-only' : 'flex-1 text-left'}>{text('search')}</span>
        {!isFolded && <kbd className="font-sans text-xs text-faint">{commandKeyLabel} K</kbd>}
      </button>
      <ul className="flex flex-col gap-0.5">
        {navigationItems.map((place) => (
          <li key={place.to}>
            <NavigationLink place={place} className={sideLink} word={word} />
          </li>
        ))}
      </ul>
      <div ref={onSlot} className="scroll-thin -mx-1 flex min-h-0 flex-1 flex-col overflow-y-auto px-1" />
      {isAtSheet && (
        <button
          type="button"
          aria-expanded={!isFolded}
          title={text(isFolded ? 'unfoldSidebar' : 'foldSidebar')}
          onClick={() => besideSheet.set(isFolded ? 'open' : 'folded')}
          className={sideLink}
        >
          <PanelLeft size={18} className="shrink-0" />
          <span className={word}>{text(isFolded ? 'unfoldSidebar' : 'foldSidebar')}</span>
        </button>
      )}
      <Link
        to="/account/$section"
        params={{ section: 'profile' }}
        title={name}
        {...activeLinkProps(isAtAccount)}
        className={sideLink}
      >
        {picture ? (
          <img src={picture} alt="" className="-mx-0.5 size-5.5 shrink-0 rounded-full" />
        ) : (
          <UserRound size={18} className="shrink-0" />
        )}
        <span className={word}>{name}</span>
      </Link>
    </nav>
  );
}

/** The main navigation on narrow screens, which show no sidebar. */
function BottomBar({ onSearch }: { onSearch: () => void }): ReactNode {
  const text = useTranslation();
  const isAtAccount = useIsActivePath('/account');
  return (
    <nav
      aria-label={text('mainNavigation')}
      className="flex shrink-0 border-t border-line bg-panel pb-[env(safe-area-inset-bottom)] typing:hidden"
    >
      {navigationItems.map((place) => (
        <NavigationLink
          key={place.to}
          place={place}
          className="relative flex min-w-0 flex-auto flex-col items-center gap-0.5 py-2 text-xs text-soft data-[here]:text-accent"
        />
      ))}
      <button
        type="button"
        onClick={onSearch}
        className="flex min-w-0 flex-auto flex-col items-center gap-0.5 py-2 text-xs text-soft"
      >
        <Search size={18} />
        <span className="max-w-full truncate">{text('search')}</span>
      </button>
      <Link
        to="/account/$section"
        params={{ section: 'profile' }}
        {...activeLinkProps(isAtAccount)}
        className="flex min-w-0 flex-auto flex-col items-center gap-0.5 py-2 text-xs text-soft data-[here]:text-accent"
      >
        <UserRound size={18} />
        <span className="max-w-full truncate">{text('account')}</span>
      </Link>
    </nav>
  );
}

function NavigationLink({
  place,
  className,
  word = 'max-w-full truncate',
}: {
  place: NavigationItem;
  className: string;
  word?: string;
}): ReactNode {
  const text = useTranslation();
  const isHere = useIsActivePath(place.to);
  return (
    <Link to={place.to} title={text(place.label)} className={className} {...activeLinkProps(isHere)}>
      {place.icon}
      <span className={word}>{text(place.label)}</span>
      {place.to === '/inbox' && <InboxCount isCorner={word !== 'truncate'} />}
    </Link>
  );
}

function useIsActivePath(path: string): boolean {
  return useRouterState({
    select: ({ location: { pathname } }) => (path === '/' ? pathname === '/' : pathname.startsWith(path)),
  });
}

function activeLinkProps(isHere: boolean): { 'data-here'?: true; 'aria-current'?: 'page' } {
  return isHere ? { 'data-here': true, 'aria-current': 'page' } : {};
}

/**
 * Moves the focus to the page content after navigation to another section of the app (first segment of the URL path),
 * so that screen readers announce the page instead of the clicked link.
 */
function useFocusOnNavigation(): React.RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null);
  const section = useRouterState({ select: (state) => state.location.pathname.split('/')[1] });
  const first = useRef(true);
  useEffect(() => {
    if (!first.current && !main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
    first.current = false;
  }, [section]);
  return main;
}
