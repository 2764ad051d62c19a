import { Bot } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../text/use-text.ts';
import { useStore } from '../ui/store.ts';
import { rangeName } from './geometry.ts';
import { personColor } from './person-color.ts';
import { useSession } from './session.ts';
import type { Present } from './who-is-here.ts';

const maxShown = 5;

/** Shows who else has the document open. A click goes to that user's position. */
export function Avatars(): ReactNode {
  const text = useText();
  const others = useStore(useSession().whoIsHere.others);
  const people = onePerPerson(others);
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

/** Shows a user with two windows once, at the most recent position. */
function onePerPerson(others: readonly Present[]): Present[] {
  return [...new Map(others.toSorted((a, b) => a.until - b.until).map((one) => [one.who, one])).values()];
}

function Avatar({ one }: { one: Present }): ReactNode {
  const text = useText();
  const session = useSession();
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
      style={{ backgroundColor: personColor(one.who) }}
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
