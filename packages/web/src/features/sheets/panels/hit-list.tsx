import type { ReactNode } from 'react';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { useStore } from '../../../ui/store.ts';
import { useSession } from '../sheet-session.ts';
import type { FindState } from './use-find.ts';

const maxListed = 200;

/** The number of hits, and links to the first of them. */
export function HitList({ hits, total, at, go }: FindState): ReactNode {
  const text = useTranslation();
  const tabs = useStore(useSession().tabs);
  return (
    <>
      {total !== undefined && (
        <p role="status" className="text-sm text-soft">
          {total === 0
            ? text('noHits')
            : at < 0
              ? text('hitCount', { count: total })
              : text('hitOf', { number: at + 1, count: total })}
        </p>
      )}
      {hits.length > 0 && (
        <ul
          aria-label={text('hits')}
          className="scroll-thin flex max-h-80 flex-col overflow-y-auto rounded-lg border border-line bg-raised"
        >
          {hits.slice(0, maxListed).map((hit, index) => (
            <li key={`${hit.sheet_id}:${hit.address}`}>
              <button
                type="button"
                aria-current={index === at}
                className="flex w-full items-center gap-2 px-3 py-1.5 text-left text-sm hover:bg-hover aria-[current=true]:bg-accent-soft"
                onClick={() => go(index)}
              >
                <span className="font-mono">{hit.address}</span>
                <span className="ml-auto truncate text-faint">{tabs.find((one) => one.id === hit.sheet_id)?.name}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
