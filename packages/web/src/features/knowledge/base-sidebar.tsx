import { useQuery } from '@tanstack/react-query';
import { ChevronRight, Library, Pin } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { InSidebar } from '../../shell/sidebar-slot.tsx';
import { useTranslation } from '../../i18n/use-translation.ts';
import { TreeRow } from '../../ui/tree-row.tsx';
import { useEntryDrop } from './entry-drag.ts';
import { foldersOf, useBases } from './queries.ts';

/**
 * Shows the tree of knowledge bases and folders in the sidebar. Subfolders are loaded when their folder is expanded.
 */
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

function Branch({ base, id, name, icon, depth, chosen, startOpen, isTop }: BranchProps): ReactNode {
  const text = useTranslation();
  const [open, setOpen] = useState(startOpen);
  const inside = useQuery({ queryKey: ['folders', base, id], queryFn: () => foldersOf(base, id), enabled: open });
  const drop = useEntryDrop(base, id);
  return (
    <>
      <TreeRow
        link={{ to: '/wiki/$base', params: { base }, search: { folder: id === base ? undefined : id } }}
        name={name}
        icon={icon}
        isChosen={chosen === id}
        drop={drop}
        before={
          <button
            type="button"
            aria-expanded={open}
            aria-label={text('foldersOf', { name })}
            onClick={() => setOpen(!open)}
            className="flex size-[24px] shrink-0 items-center justify-center rounded text-faint hover:text-ink"
          >
            <ChevronRight size={14} className={`transition-transform ${open ? 'rotate-90' : ''}`} />
          </button>
        }
        detail={isTop && <Pin size={12} className="ml-auto shrink-0 text-faint" />}
        rowStyle={{ paddingLeft: `${depth * 0.8}rem` }}
        linkStyle={{ paddingRight: '0.5rem' }}
      />
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
