import type { ReactNode } from 'react';
import { useText } from '../../text/use-text.ts';
import { useStore } from '../../ui/store.ts';
import { Floating } from '../floating.tsx';
import type { Grid } from './grid.ts';
import { colorOf } from './theme.ts';

/** Who wrote, above what they wrote, for some seconds. */
export function MarkerLabels({ grid }: { grid: Grid }): ReactNode {
  const text = useText();
  const marks = useStore(grid.shownMarks);
  return marks.map(({ range, name, strength }) => (
    <Floating key={`${name}/${range.top}/${range.left}`} place={{ range }}>
      <span
        role="status"
        data-mark={name}
        className={
          'absolute max-w-40 truncate rounded-sm px-1.5 text-[0.733rem] leading-[1.4] font-medium ' +
          `whitespace-nowrap ${grid.theme.isDark ? 'text-black' : 'text-white'} ` +
          `${range.top === 0 || range.top === grid.model.frozenRows ? 'top-full left-0' : 'bottom-full left-0'}`
        }
        style={{ backgroundColor: colorOf(name, grid.theme.isDark), opacity: strength }}
      >
        {name === '' ? text('someone') : name}
      </span>
    </Floating>
  ));
}
