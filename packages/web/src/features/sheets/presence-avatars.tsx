import { Bot } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { useStore } from '../../ui/store.ts';
import { rangeName } from './cell-geometry.ts';
import { userColor } from './user-color.ts';
import { useSession, useSheet } from './sheet-session.ts';
import type { Participant } from './presence.ts';

const maxShown = 5;

/** Shows the other users who have the document open. A click on an avatar goes to that user's selection. */
export function PresenceAvatars(): ReactNode {
  const text = useTranslation();
  const others = useStore(useSession().presence.others);
  const people = uniqueByUser(others);
  if (people.length === 0) return null;
  return (
    <ul aria-label={text('hereNow')} className="flex shrink-0 items-center -space-x-1.5 pl-1.5">
      {people.slice(0, maxShown).map((one) => (
        <li key={one.who}>
          <Avatar one={one} />
        </li>
      ))}
      {people.length > maxShown && (
        <li className="pl-3 text-sm text-soft">{text('andMore', { count: people.length - maxShown })}</li>
      )}
    </ul>
  );
}

/** Returns one participant per user. If a user has several windows, the one that was last active is returned. */
function uniqueByUser(others: readonly Participant[]): Participant[] {
  return [...new Map(others.toSorted((a, b) => a.until - b.until).map((one) => [one.who, one])).values()];
}

function Avatar({ one }: { one: Participant }): ReactNode {
  const { session, text } = useSheet();
  const name = one.name === '' ? text('someone') : one.name;
  const tabs = useStore(session.tabs);
  const tab = tabs.find(({ id }) => id === one.sheetId);
  const place = tab && one.range ? `${tabs.length > 1 ? `${tab.name}!` : ''}${rangeName(one.range)}` : '';
  const label = one.isAgent
    ? text('agentHere', { name, call: [one.tool, place].filter(Boolean).join(' ') })
    : text('personHere', { name, place });
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      data-avatar={name}
      className={
        'flex size-7 items-center justify-center rounded-full border-2 border-paper text-xs font-semibold ' +
        'text-[light-dark(white,black)] uppercase hover:z-10'
      }
      style={{ backgroundColor: userColor(one.who) }}
      onClick={() => {
        if (!tab || !one.range) return;
        session.show(tab.id);
        session.scrollTo({ row: one.range.top, col: one.range.left });
      }}
    >
      {one.isAgent ? <Bot size={15} /> : [...name][0]}
    </button>
  );
}
