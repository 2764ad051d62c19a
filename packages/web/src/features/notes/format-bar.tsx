import {
  Bold,
  Code,
  Code2,
  Heading1,
  Heading2,
  Heading3,
  ImagePlus,
  Italic,
  Link2,
  List,
  ListChecks,
  ListOrdered,
  Minus,
  Quote,
  Redo2,
  Strikethrough,
  Table2,
  Undo2,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { IconButton } from '../../ui/button.tsx';

const tools = [
  [
    ['undo', Undo2],
    ['redo', Redo2],
  ],
  [
    ['heading1', Heading1],
    ['heading2', Heading2],
    ['heading3', Heading3],
  ],
  [
    ['bold', Bold],
    ['italic', Italic],
    ['strike', Strikethrough],
    ['code', Code],
    ['link', Link2],
  ],
  [
    ['bullets', List],
    ['numbers', ListOrdered],
    ['tasks', ListChecks],
  ],
  [
    ['quote', Quote],
    ['codeBlock', Code2],
    ['table', Table2],
    ['picture', ImagePlus],
    ['line', Minus],
  ],
] as const;

/**
 * Tools that insert or change a block, such as a heading, list or table. The menu that opens when the user types `/`
 * lists them in this order.
 */
export const blockTools = [...tools[1], ...tools[3], ...tools[4]];

export type FormatTool = (typeof tools)[number][number][0];

/** The tools whose format is active at the caret, and the tools that are disabled. */
export interface FormatState {
  readonly active: Partial<Record<FormatTool, boolean>>;
  readonly disabled: Partial<Record<FormatTool, boolean>>;
}

interface FormatBarProps {
  state: FormatState;
  run: (tool: FormatTool) => void;
  /** Additional tools for the element at the caret, such as a table. */
  more?: ReactNode;
}

/**
 * The toolbar above a note. `state` says which formats are active at the caret; it is passed in instead of read from
 * the editor, because the editor may still be loading.
 */
export function FormatBar({ state, run, more }: FormatBarProps): ReactNode {
  const text = useTranslation();
  return (
    <div
      role="toolbar"
      aria-label={text('format')}
      className="scroll-thin flex shrink-0 items-center gap-0.5 overflow-x-auto border-b border-line px-3 py-1"
    >
      {tools.map((group, index) => (
        <div
          key={index}
          className="flex items-center gap-0.5 border-line not-first:ml-1 not-first:border-l not-first:pl-1"
        >
          {group.map(([tool, Icon]) => (
            <IconButton
              key={tool}
              label={text(tool)}
              aria-pressed={state.active[tool]}
              disabled={state.disabled[tool]}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => run(tool)}
            >
              <Icon size={17} />
            </IconButton>
          ))}
        </div>
      ))}
      {more}
    </div>
  );
}
