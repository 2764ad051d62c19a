import { Baseline, Bold, Italic, PaintBucket, Strikethrough, Underline } from 'lucide-react';
import type { ReactNode } from 'react';
import { commandKeyLabel } from '../../../lib/keyboard-shortcuts.ts';
import { ColorButton } from '../color-button.tsx';
import { ToolButton } from '../tool-button.tsx';
import { ToolMenu } from '../tool-menu.tsx';
import type { ToolbarGroupProps } from './toolbar-group-props.ts';

const sizes = [8, 9, 10, 11, 12, 14, 18, 24, 36] as const;

/** Common fonts; the cell's own font is offered as well. */
const families = [
  'Arial',
  'Calibri',
  'Cambria',
  'Courier New',
  'Georgia',
  'Tahoma',
  'Times New Roman',
  'Verdana',
  'SimSun',
  'Microsoft YaHei',
  'KaiTi',
] as const;

/** Font and color tools. */
export function FontTools({ text, commands, look, locked, inGrid, entry, menu }: ToolbarGroupProps): ReactNode {
  return (
    <>
      <ToolMenu
        label={text('fontFamily')}
        value={look.fontFamily ?? text('fontStandard')}
        className="px-1.5"
        {...menu}
        entries={[
          entry(text('fontStandard'), () => commands.format({ font_family: '' })),
          null,
          ...[...new Set([...families, ...(look.fontFamily === undefined ? [] : [look.fontFamily])])].map((name) =>
            entry(name, () => commands.format({ font_family: name })),
          ),
        ]}
      >
        <span className="w-16 truncate text-left text-[0.867rem]">{look.fontFamily ?? text('fontStandard')}</span>
      </ToolMenu>
      <ToolMenu
        label={text('fontSize')}
        value={String(look.fontSize ?? 10)}
        className="px-1.5"
        {...menu}
        entries={sizes.map((size) => entry(String(size), () => commands.format({ font_size: size })))}
      >
        <span className="w-5 text-center text-[0.867rem]">{look.fontSize ?? 10}</span>
      </ToolMenu>
      <ToolButton
        label={`${text('bold')} (${commandKeyLabel}+B)`}
        pressed={look.bold === true}
        disabled={locked}
        onClick={inGrid(() => commands.toggle('bold'))}
      >
        <Bold size={16} />
      </ToolButton>
      <ToolButton
        label={`${text('italic')} (${commandKeyLabel}+I)`}
        pressed={look.italic === true}
        disabled={locked}
        onClick={inGrid(() => commands.toggle('italic'))}
      >
        <Italic size={16} />
      </ToolButton>
      <ToolButton
        label={`${text('underline')} (${commandKeyLabel}+U)`}
        pressed={look.underline !== undefined}
        disabled={locked}
        onClick={inGrid(() => commands.toggle('underline'))}
      >
        <Underline size={16} />
      </ToolButton>
      <ToolButton
        label={text('strike')}
        pressed={look.strikeThrough === true}
        disabled={locked}
        onClick={inGrid(() => commands.toggle('strike'))}
      >
        <Strikethrough size={16} />
      </ToolButton>
      <ColorButton
        label={text('textColor')}
        icon={<Baseline size={15} />}
        initial="A8322A"
        disabled={locked}
        onChoose={(color) => inGrid(() => commands.format({ font_color: color }))()}
      />
      <ColorButton
        label={text('fillColor')}
        icon={<PaintBucket size={15} />}
        initial="FBE6A3"
        disabled={locked}
        onChoose={(color) => inGrid(() => commands.format({ bg_color: color }))()}
      />
    </>
  );
}
