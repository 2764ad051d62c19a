import type { ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { userColor } from '../sheets/user-color.ts';
import type { PersonInNote } from './note-room.ts';

const maxShown = 5;

/**
 * Shows the other people who have the note open, as colored circles with their initials. A user who has opened the note
 * several times is shown once.
 */
export function PeopleInNote({ people }: { people: readonly PersonInNote[] }): ReactNode {
  const text = useTranslation();
  const users = [...new Map(people.map((person) => [person.user_id, person])).values()];
  return (
    <ul aria-label={text('alsoInNote')} className="flex shrink-0 items-center -space-x-1.5 px-1.5">
      {users.slice(0, maxShown).map(({ user_id: id, name }) => (
        <li
          key={id}
          title={name}
          aria-label={name}
          className={
            'flex size-7 items-center justify-center rounded-full border-2 border-paper text-xs font-semibold ' +
            'text-[light-dark(white,black)] uppercase'
          }
          style={{ backgroundColor: userColor(id) }}
        >
          {[...name][0]}
        </li>
      ))}
      {users.length > maxShown && <li className="pl-3 text-sm text-soft">+{users.length - maxShown}</li>}
    </ul>
  );
}
