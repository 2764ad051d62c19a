import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { startNewNote } from '../notes/new-note-draft.ts';
import { useCurrentUser } from '../../shell/current-user.ts';
import { useTranslation } from '../../i18n/use-translation.ts';
import { Button } from '../../ui/button.tsx';
import { Page } from '../../ui/page-layout.tsx';
import { RecentItems, useRecentItems } from './recent-items.tsx';
import { SamplesCard } from './samples-card.tsx';
import { StartCards } from './start-cards.tsx';
import { lazyComponent } from '../../ui/lazy.tsx';

// The list of recent changes is loaded as a separate script, because it is at the end of the page and not needed at
// first.
const RecentChanges = lazyComponent(async () => (await import('./recent-changes.tsx')).RecentChanges);

export function HomePage(): ReactNode {
  const text = useTranslation();
  const me = useCurrentUser();
  const navigate = useNavigate();
  const recents = useRecentItems();
  const write = (): void =>
    void navigate({ to: '/notes/$id', params: { id: startNewNote(undefined, text('untitled')) } });
  return (
    <Page
      title={text('hello', { name: me?.name ?? '' })}
      lead={text('homeLead')}
      actions={
        <Button variant="primary" onClick={write}>
          <Plus size={16} /> {text('newNote')}
        </Button>
      }
    >
      <StartCards onNote={write} />
      {recents.list !== undefined && <SamplesCard isEmpty={!recents.hasWork} titles={recents.list} />}
      <RecentItems {...recents} />
      {recents.hasWork && <RecentChanges recents={recents.list ?? []} />}
    </Page>
  );
}
