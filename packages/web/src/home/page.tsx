import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { beginNote } from '../notes/new-note.ts';
import { useMe } from '../shell/me.ts';
import { useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { Recents, useRecents } from './recents.tsx';
import { SamplesCard } from './samples-card.tsx';
import { StartCards } from './start-cards.tsx';
import { late } from '../ui/late.tsx';

// Loaded after the first screen, because it is below the fold.
const Changes = late(async () => (await import('./changes.tsx')).Changes);

export function HomePage(): ReactNode {
  const text = useText();
  const me = useMe();
  const navigate = useNavigate();
  const recents = useRecents();
  const write = (): void => void navigate({ to: '/notes/$id', params: { id: beginNote(undefined, text('untitled')) } });
  return (
    <Page
      title={text('hello', { name: me?.name ?? '' })}
      lead={text('homeLead')}
      actions={
        <Button look="primary" onClick={write}>
          <Plus size={16} /> {text('newNote')}
        </Button>
      }
    >
      <StartCards onNote={write} />
      {recents.list !== undefined && <SamplesCard isEmpty={!recents.hasWork} titles={recents.list} />}
      <Recents list={recents.list} />
      {recents.hasWork && <Changes recents={recents.list ?? []} />}
    </Page>
  );
}
