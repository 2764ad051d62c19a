import { useQuery } from '@tanstack/react-query';
import { Info } from 'lucide-react';
import type { ReactNode } from 'react';
import { queryClient, sheaf } from '../../lib/api-client.ts';
import { Setting, useSetting } from '../../lib/browser-storage.ts';
import { formatBytes, formatDateTime } from '../../lib/format.ts';
import { useLanguage, useTranslation, type MessageKey } from '../../i18n/use-translation.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { showErrorToast } from '../../ui/toast.tsx';
import { tagEntry } from './entry-actions.ts';
import { mediaKindOf } from './media-kinds.tsx';
import { fetchEntry, useBase } from './queries.ts';

const shown = new Setting('details', ['hidden', 'shown'], 'hidden');

/**
 * Button that shows or hides the details beside an item. Hidden in narrow windows, which have no space for the details.
 */
export function DetailsToggle(): ReactNode {
  const text = useTranslation();
  const isShown = useSetting(shown) === 'shown';
  return (
    <IconButton
      label={text('itemDetails')}
      aria-pressed={isShown}
      className="max-lg:hidden"
      onClick={() => shown.set(isShown ? 'hidden' : 'shown')}
    >
      <Info size={17} />
    </IconButton>
  );
}

interface ItemDetailsProps {
  base: string;
  id: string;
  type: number;
}

/** Shows the details and tags of an item beside it, if the user has turned them on. */
export function ItemDetails(props: ItemDetailsProps): ReactNode {
  return useSetting(shown) === 'shown' ? <Details {...props} /> : null;
}

function Details({ base, id, type }: ItemDetailsProps): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  const role = useBase(base).data?.role_type;
  const mayEdit = role !== undefined && role !== 'viewer';
  const entry =
    useQuery({ queryKey: ['folder', base, 'entry', id], queryFn: () => fetchEntry(base, id) }).data ?? undefined;
  const content = useQuery({
    queryKey: ['item-meta', id],
    queryFn: () => sheaf.wiki.get_knowledge_content({ media_id: id, max_tokens: 1 }),
    staleTime: 60_000,
    retry: false,
  });
  const meta = content.data?.meta ?? {};
  const written = (name: string): string =>
    ['string', 'number'].includes(typeof meta[name]) ? String(meta[name]) : '';
  const lines: readonly (readonly [MessageKey, string])[] = [
    ['itemKind', text(mediaKindOf(type).label)],
    ['columnSize', entry?.file_size ? formatBytes(entry.file_size, language) : ''],
    ['pagesView', written('pages')],
    ['itemAuthor', written('author')],
    ['itemAdded', entry?.create_time ? formatDateTime(entry.create_time, language) : ''],
    ['itemChanged', entry?.update_time ? formatDateTime(entry.update_time, language) : ''],
  ];
  const changeTags = async (): Promise<void> => {
    await tagEntry(base, entry!, text);
    await queryClient.invalidateQueries({ queryKey: ['folder', base] });
  };
  return (
    <aside
      aria-label={text('itemDetails')}
      className="scroll-thin flex w-64 shrink-0 flex-col gap-4 overflow-y-auto border-l border-line px-4 py-4 text-sm max-lg:hidden"
    >
      <dl className="flex flex-col gap-2.5">
        {lines
          .filter(([, value]) => value !== '')
          .map(([label, value]) => (
            <div key={label}>
              <dt className="text-faint">{text(label)}</dt>
              <dd className="break-words">{value}</dd>
            </div>
          ))}
      </dl>
      {entry !== undefined && (
        <section className="flex flex-col gap-2">
          <h2 className="text-faint">{text('tags')}</h2>
          <ul aria-label={text('tags')} className="flex flex-wrap gap-1.5">
            {entry.tags?.map((tag) => (
              <li key={tag} className="max-w-full truncate rounded-full bg-hover px-2.5 py-0.5 text-soft">
                {tag}
              </li>
            ))}
          </ul>
          {mayEdit && (
            <Button className="h-8 self-start text-sm" onClick={() => changeTags().catch(showErrorToast)}>
              {text('changeTags')}
            </Button>
          )}
        </section>
      )}
    </aside>
  );
}
