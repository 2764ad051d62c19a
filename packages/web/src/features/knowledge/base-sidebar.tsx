import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronRight, Library, Pin } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { sheaf } from '../../lib/api-client.ts';
import { InSidebar } from '../../shell/sidebar-slot.tsx';
import { useTranslation } from '../../i18n/use-translation.ts';
import { useEntryDrop } from './entry-drag.ts';
import { useBases, type Entry } from './queries.ts';

/** The tree of bases and folders in the side bar; subfolders are loaded when a folder is expanded. */
export function BaseSidebar({ base, folder }: { base?: string; folder?: string }): ReactNode {
  const text = useTranslation();
  const bases = useBases();
  return (
    <InSidebar>
      <div className="flex flex-col gap-1 pt-1">
        <h2 className="px-2.5 text-xs font-medium tracking-wide text-faint">{text('knowledgeBases')}</h2>
        <ul className="flex flex-col" aria-label={text('knowledgeBases')}>
          {bases.data?.map((each) => (
            <Branch
              key={`${each.id} ${each.id === base}`}
              base={each.id}
              id={each.id}
              name={each.name}
              icon={<Library size={15} />}
              depth={0}
              chosen={base === each.id ? (folder ?? base) : undefined}
              startOpen={each.id === base}
              isTop={false}
            />
          ))}
        </ul>
      </div>
    </InSidebar>
  );
}

interface BranchProps {
  base: string;
  id: string;
  name: string;
  icon: ReactNode;
  depth: number;
  chosen: string | undefined;
  startOpen: boolean;
  isTop: boolean;
}

async function foldersOf(base: string, folder: string): Promise<Entry[]> {
  const found: Entry[] = [];
  for (let cursor = ''; ;) {
    const page = await sheaf.wiki.get_knowledge_list({ knowledge_base_id: base, folder_id: folder, cursor, limit: 50 });
    const folders = page.knowledge_list.filter((entry) => entry.folder_id !== undefined);
    found.push(...folders);
    // Folders are listed first, so a page with any other entry contains the last folder.
    if (page.is_end || folders.length < page.knowledge_list.length) return found;
    cursor = page.next_cursor;
  }
}

function Branch({ base, id, name, icon, depth, chosen, startOpen, isTop }: BranchProps): ReactNode {
  const text = useTranslation();
  const [open, setOpen] = useState(startOpen);
  const inside = useQuery({ queryKey: ['folders', base, id], queryFn: () => foldersOf(base, id), enabled: open });
  const { over, handlers } = useEntryDrop(base, id);
  const isChosen = chosen === id;
  return (
    <>
      <li
        className={`flex items-center rounded-lg ${isChosen ? 'bg-hover font-medium' : 'hover:bg-hover'} ${over ? 'outline-2 outline-accent' : ''}`}
        style={{ paddingLeft: `${depth * 0.8}rem` }}
        {...handlers}
      >
        <button
          type="button"
          aria-expanded={open}
          aria-label={text('foldersOf', { name })}
          onClick={() => setOpen(!open)}
          className="flex size-[24px] shrink-0 items-center justify-center rounded text-faint hover:text-ink"
        >
          <ChevronRight size={14} className={`transition-transform ${open ? 'rotate-90' : ''}`} />
        </button>
        <Link
          to="/wiki/$base"
          params={{ base }}
          search={{ folder: id === base ? undefined : id }}
          className="flex h-8 min-w-0 flex-1 items-center gap-2 rounded-lg pr-2 text-[0.9rem] text-soft"
          aria-current={isChosen ? 'true' : undefined}
        >
          <span className="shrink-0 text-faint">{icon}</span>
          <span className="truncate">{name}</span>
          {isTop && <Pin size={12} className="ml-auto shrink-0 text-faint" />}
        </Link>
      </li>
      {open &&
        inside.data?.map((each) => (
          <Branch
            key={each.folder_id}
            base={base}
            id={each.folder_id!}
            name={each.title}
            icon={<span className="block size-1.5 rounded-full bg-strong-line" />}
            depth={depth + 1}
            chosen={chosen}
            startOpen={false}
            isTop={each.is_top ?? false}
          />
        ))}
    </>
  );
}
