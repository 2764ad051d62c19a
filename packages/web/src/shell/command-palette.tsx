import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import {
  FileText,
  Folder,
  House,
  KeyRound,
  Languages,
  Library,
  LogOut,
  Moon,
  NotebookPen,
  Plug,
  Plus,
  Search,
  Table2,
} from 'lucide-react';
import { useDeferredValue, useState, type ReactNode } from 'react';
import { signOut } from '../features/account/authentication.ts';
import { HighlightedText } from '../lib/highlighted-text.tsx';
import { startNewNote } from '../features/notes/new-note-draft.ts';
import { setLanguage, useLanguage, useTranslation } from '../i18n/use-translation.ts';
import { Dialog } from '../ui/dialog.tsx';
import { showErrorToast } from '../ui/toast.tsx';
import { quickSearch, type QuickSearchHit } from './quick-search.ts';
import { nextTheme } from './theme.ts';

const icons: Record<QuickSearchHit['kind'], ReactNode> = {
  base: <Library size={16} />,
  knowledge: <FileText size={16} />,
  folder: <Folder size={16} />,
  note: <NotebookPen size={16} />,
  sheet: <Table2 size={16} />,
};

function rowOf(hit: QuickSearchHit): string {
  return `${hit.kind} ${hit.id}`;
}

export function CommandPalette({ onClose }: { onClose: () => void }): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const query = useDeferredValue(typed.trim());
  const found = useQuery({
    queryKey: ['search', query],
    queryFn: ({ signal }) => quickSearch(query, signal),
    enabled: query !== '',
    placeholderData: (previous) => previous,
  });

  const run = (action: () => unknown) => () => {
    onClose();
    Promise.resolve(action()).catch(showErrorToast);
  };
  const open = (hit: QuickSearchHit): unknown => {
    if (hit.kind === 'base') return navigate({ to: '/wiki/$base', params: { base: hit.id } });
    if (hit.kind === 'note') return navigate({ to: '/notes/$id', params: { id: hit.id } });
    if (hit.kind === 'sheet') return navigate({ to: '/sheet/$id', params: { id: hit.id } });
    const base = hit.container;
    if (hit.kind === 'folder') return navigate({ to: '/wiki/$base', params: { base }, search: { folder: hit.id } });
    return navigate({ to: '/wiki/$base/item/$id', params: { base, id: hit.id }, search: { q: query } });
  };
  const makeNote = (): unknown =>
    navigate({ to: '/notes/$id', params: { id: startNewNote(undefined, text('untitled')) } });
  const openAccount = (section: string) => () => navigate({ to: '/account/$section', params: { section } });
  const switchLanguage = (): unknown => setLanguage(language === 'en' ? 'zh' : 'en');
  const actions = (
    [
      ['new-note', text('newNote'), Plus, makeNote],
      ['search', text('search'), Search, () => navigate({ to: '/search' })],
      ['home', text('home'), House, () => navigate({ to: '/' })],
      ['wiki', text('knowledge'), Library, () => navigate({ to: '/wiki' })],
      ['notes', text('notes'), NotebookPen, () => navigate({ to: '/notes' })],
      ['sheets', text('sheets'), Table2, () => navigate({ to: '/sheet' })],
      ['keys', text('apiKeys'), KeyRound, openAccount('keys')],
      ['connect', text('connect'), Plug, openAccount('connect')],
      ['theme', text('switchTheme'), Moon, nextTheme],
      ['language', language === 'en' ? '切换为中文' : 'Switch to English', Languages, switchLanguage],
      ['sign-out', text('signOut'), LogOut, signOut],
    ] as const
  ).map(([key, label, Icon, act]) => ({ key, label, icon: <Icon size={16} />, run: act as () => unknown }));
  const wanted = typed.trim().toLowerCase();
  const everything = {
    key: 'everything',
    label: text('searchEverything', { query: typed.trim() }),
    icon: <Search size={16} />,
    run: () => navigate({ to: '/search', search: { q: typed.trim() } }),
  };
  const shown = [
    ...actions.filter((action) => wanted === '' || action.label.toLowerCase().includes(wanted)),
    ...(wanted === '' ? [] : [everything]),
  ];
  const hits = query === '' ? [] : (found.data ?? []);
  // Enter runs the selected row. This is the first row, unless the user has selected another row with the arrow keys
  // since the last change of the text.
  const rows = [...hits.map(rowOf), ...shown.map((action) => action.key)];
  const [moved, setMoved] = useState({ typed: '', row: '' });
  const selected = moved.typed === typed && rows.includes(moved.row) ? moved.row : (rows[0] ?? '');
  const row =
    'flex min-h-11 cursor-pointer items-center gap-3 rounded-lg px-3 py-1.5 data-[selected=true]:bg-accent-soft';

  return (
    <Dialog title={text('search')} onClose={onClose} width="medium" bare>
      <Command
        shouldFilter={false}
        value={selected}
        onValueChange={(row) => row !== selected && setMoved({ typed, row })}
        loop
        label={text('search')}
        className="flex min-h-0 flex-col"
      >
        <div className="flex items-center gap-3 border-b border-line px-4">
          <Search size={18} className="text-faint" />
          <Command.Input
            autoFocus
            value={typed}
            onValueChange={setTyped}
            placeholder={text('searchPlaceholder')}
            className="h-13 flex-1 bg-transparent text-base outline-none placeholder:text-faint"
          />
        </div>
        <Command.List className="scroll-thin h-[min(24rem,55dvh)] overflow-y-auto p-2">
          {query !== '' && found.isSuccess && hits.length === 0 && shown.length === 0 && (
            <p className="px-3 py-6 text-center text-soft">{text('nothingFound', { query })}</p>
          )}
          {hits.length > 0 && (
            <Command.Group
              heading={text('found')}
              className="[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-faint"
            >
              {hits.map((hit) => (
                <Command.Item key={rowOf(hit)} value={rowOf(hit)} onSelect={run(() => open(hit))} className={row}>
                  <span className="text-faint">{icons[hit.kind]}</span>
                  <span className="flex min-w-0 flex-1 flex-col">
                    <span className="truncate">{hit.title === '' ? text('untitled') : hit.title}</span>
                    {hit.passage !== undefined && (
                      <span className="truncate text-sm text-soft">
                        <HighlightedText text={hit.passage} />
                      </span>
                    )}
                  </span>
                  <span className="max-w-[30%] truncate text-sm text-faint">{hit.containerName}</span>
                </Command.Item>
              ))}
            </Command.Group>
          )}
          {shown.length > 0 && (
            <Command.Group
              heading={text('actions')}
              className="[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-faint"
            >
              {shown.map((action) => (
                <Command.Item key={action.key} value={action.key} onSelect={run(action.run)} className={row}>
                  <span className="text-faint">{action.icon}</span>
                  {action.label}
                </Command.Item>
              ))}
            </Command.Group>
          )}
        </Command.List>
      </Command>
    </Dialog>
  );
}
