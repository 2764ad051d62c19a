import { Link, type LinkProps } from '@tanstack/react-router';
import { FileText, Folder, NotebookPen, Table2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatTimeAgo } from '../../lib/format.ts';
import { HighlightedText } from '../../lib/highlighted-text.tsx';
import { hitWords } from '../../lib/search-excerpt.ts';
import { useLanguage, useTranslation } from '../../i18n/use-translation.ts';
import { bestLine } from './best-line.ts';
import { Passage } from './passage.tsx';
import type { Hit, HitPassage } from './queries.ts';

const icons: Record<Hit['kind'], ReactNode> = {
  knowledge: <FileText size={18} className="text-word" />,
  folder: <Folder size={18} className="text-base-kind" />,
  note: <NotebookPen size={18} className="text-note" />,
  sheet: <Table2 size={18} className="text-sheet" />,
};

/** Maximum length in characters of a link's `find` parameter, the text to which the linked page scrolls. */
const maxFindLength = 200;
const shownPassages = 3;

/** Returns the link to a search hit. It includes the text or position of the passage to scroll to. */
function linkTo(hit: Hit, query: string, words: readonly string[], passage: HitPassage | undefined): LinkProps {
  // Put each cell of a spreadsheet passage on its own line. A line of the passage is a row with several cells, but the
  // spreadsheet page searches for the text of one cell.
  const lines = hit.kind === 'sheet' ? passage?.text.replaceAll(' | ', '\n') : passage?.text;
  const find = lines === undefined ? undefined : bestLine(lines, words).slice(0, maxFindLength);
  switch (hit.kind) {
    case 'note':
      return { to: '/notes/$id', params: { id: hit.id }, search: { find } };
    case 'sheet':
      return { to: '/sheet/$id', params: { id: hit.id }, search: { find } };
    case 'folder':
      return { to: '/wiki/$base', params: { base: hit.container_id ?? '' }, search: { folder: hit.id } };
    case 'knowledge':
      return {
        to: '/wiki/$base/item/$id',
        params: { base: hit.container_id ?? '', id: hit.id },
        search: { q: query, at: passage?.start, page: passage?.page },
      };
  }
}

export function HitRow({ hit, query }: { hit: Hit; query: string }): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  const words = hit.highlight_content === undefined ? [] : hitWords(hit.highlight_content);
  const passages = (hit.passages ?? []).slice(0, shownPassages);
  const about = [hit.container_name, hit.author_name, formatTimeAgo(hit.update_time, language)].filter(
    (part) => part !== undefined && part !== '',
  );
  return (
    <li className="flex gap-3 rounded-xl px-2 py-3">
      <span className="mt-0.5 shrink-0 text-faint">{icons[hit.kind]}</span>
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <Link
            {...linkTo(hit, query, words, passages[0])}
            className="min-w-0 truncate rounded font-medium hover:underline"
          >
            {hit.title === '' ? text('untitled') : hit.title}
          </Link>
          <span className="text-xs text-faint">{about.join(' · ')}</span>
        </div>
        {passages.length === 0 && hit.highlight_content !== undefined && (
          <p className="text-soft">
            <HighlightedText text={hit.highlight_content} />
          </p>
        )}
        {passages.map((passage) => (
          <Link
            key={passage.start}
            {...linkTo(hit, query, words, passage)}
            className="-mx-2 flex flex-col rounded-lg px-2 py-1 text-soft hover:bg-hover"
          >
            {(passage.headings.length > 0 || passage.page !== undefined) && (
              <span className="truncate text-xs text-faint">
                {[...(passage.page === undefined ? [] : [passage.page]), ...passage.headings].join(' › ')}
              </span>
            )}
            <span className="line-clamp-3">
              <Passage text={passage.text} words={words} heading={passage.headings.at(-1)} />
            </span>
          </Link>
        ))}
      </div>
    </li>
  );
}
