import { Link, type LinkProps } from '@tanstack/react-router';
import type { CSSProperties, ReactNode } from 'react';
import type { useDropTarget } from './drop-target.ts';

interface TreeRowProps {
  link: LinkProps;
  name: string;
  icon: ReactNode;
  isChosen: boolean;
  drop: ReturnType<typeof useDropTarget>;
  /** Content before the link (`before`), at the end of the link (`detail`) and after the link (`after`). */
  before?: ReactNode;
  detail?: ReactNode;
  after?: ReactNode;
  rowStyle?: CSSProperties;
  linkStyle?: CSSProperties;
}

/** A row of a tree in the sidebar. It is a link and also a drop target. */
export function TreeRow(props: TreeRowProps): ReactNode {
  const { link, name, icon, isChosen, drop, before, detail, after, rowStyle, linkStyle } = props;
  return (
    <li
      className={`group flex items-center rounded-lg ${isChosen ? 'bg-hover font-medium' : 'hover:bg-hover'} ${drop.over ? 'outline-2 outline-accent' : ''}`}
      style={rowStyle}
      {...drop.handlers}
    >
      {before}
      <Link
        {...link}
        className="flex h-8 min-w-0 flex-1 items-center gap-2 rounded-lg text-[0.9rem] text-soft"
        style={linkStyle}
        aria-current={isChosen ? 'true' : undefined}
      >
        <span className="shrink-0 text-faint">{icon}</span>
        <span className="truncate">{name}</span>
        {detail}
      </Link>
      {after}
    </li>
  );
}
