import { Bot } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../../text/use-text.ts';
import { useStore } from '../../ui/store.ts';
import { Floating } from '../floating.tsx';
import { cellRange, type CellRange } from '../geometry.ts';
import { personColor } from '../person-color.ts';
import { useSession } from '../session.ts';
import type { Grid } from './grid.ts';

/** Labels recent changes with their authors, and the selections of other users. */
export function MarkerLabels({ grid }: { grid: Grid }): ReactNode {
  const text = useText();
  const session = useSession();
  const marks = useStore(grid.shownMarks);
  const others = useStore(session.whoIsHere.others);
  const tab = useStore(session.current);
  const isMarked = (who: string): boolean => marks.some((one) => one.who === who);
  return (
    <>
      {others.map(
        ({ id, who, name, range, sheetId, isAgent }) =>
          range &&
          !isAgent &&
          sheetId === tab &&
          !isMarked(who) && (
            <Floating key={id} place={{ range: cellRange(range.top, range.left) }}>
              <span
                data-present={name}
                className={labelClass(grid, range)}
                style={{ backgroundColor: personColor(who) }}
              >
                {name === '' ? text('someone') : name}
              </span>
            </Floating>
          ),
      )}
      {marks.map(({ range, who, name, tool, strength }) => (
        <Floating key={`${who}/${range.top}/${range.left}`} place={{ range }}>
          <span
            role="status"
            data-mark={name}
            className={labelClass(grid, range)}
            style={{ backgroundColor: personColor(who), opacity: strength }}
          >
            {tool !== undefined && <Bot size={12} aria-hidden className="mr-1 inline align-[-1px]" />}
            {name === '' ? text('someone') : name}
            {tool !== undefined && <code className="ml-1 font-mono font-normal">{tool}</code>}
          </span>
        </Floating>
      ))}
    </>
  );
}

function labelClass(grid: Grid, range: CellRange): string {
  return (
    'pointer-events-none absolute max-w-64 truncate rounded-sm px-1.5 text-[0.733rem] leading-[1.4] font-medium ' +
    `whitespace-nowrap ${grid.theme.isDark ? 'text-black' : 'text-white'} ` +
    `${range.top === 0 || range.top === grid.model.frozenRows ? 'top-full left-0' : 'bottom-full left-0'}`
  );
}
