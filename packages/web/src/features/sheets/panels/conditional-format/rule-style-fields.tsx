import type { ReactNode } from 'react';
import { Button } from '../../../../ui/button.tsx';
import { LiveCheckbox } from '../panel-inputs.tsx';
import type { Rule, RuleFormProps, RuleStyle } from './conditional-rule.ts';

/** Preset styles for cells that match a conditional format rule, similar to those of other spreadsheet programs. */
export const presetStyles: readonly RuleStyle[] = [
  { bg_color: 'FFC7CE', font_color: '9C0006' },
  { bg_color: 'FFEB9C', font_color: '7F4F00' },
  { bg_color: 'C6EFCE', font_color: '006100' },
  { bg_color: 'DDEBF7', font_color: '1F4E78' },
  { bg_color: 'E6E6E6', font_color: '434343' },
  { bold: true, font_color: 'A8322A' },
];

export function RuleStyleFields({ draft, change, text }: RuleFormProps): ReactNode {
  const style = draft.style ?? {};
  const set = (more: RuleStyle): void => change({ style: { ...style, ...more } });
  return (
    <fieldset className="flex flex-col gap-2.5">
      <legend className="pb-1.5 text-sm font-medium text-soft">{text('ruleLook')}</legend>
      <div className="flex flex-wrap gap-2">
        {presetStyles.map((one, index) => (
          <button
            key={index}
            type="button"
            aria-label={`${text('ruleLook')} ${index + 1}`}
            aria-pressed={one.bg_color === style.bg_color?.slice(-6) && one.font_color === style.font_color?.slice(-6)}
            className="rounded-md p-0.5 aria-pressed:outline-2 aria-pressed:outline-accent"
            onClick={() => change({ style: one })}
          >
            <RuleSample rule={{ kind: 'cell', style: one }} />
          </button>
        ))}
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <ColorInput
          label={text('fillColor')}
          value={style.bg_color ?? 'FFFFFF'}
          onChange={(bg_color) => set({ bg_color })}
        />
        <ColorInput
          label={text('textColor')}
          value={style.font_color ?? '000000'}
          onChange={(font_color) => set({ font_color })}
        />
        {style.bg_color !== undefined && (
          <Button
            variant="quiet"
            className="h-7 text-sm"
            onClick={() => {
              const { bg_color: _, ...rest } = style;
              change({ style: rest });
            }}
          >
            {text('noFill')}
          </Button>
        )}
      </div>
      <div className="flex flex-wrap gap-x-4 gap-y-1.5">
        {(['bold', 'italic', 'underline', 'strike_through'] as const).map((property) => (
          <LiveCheckbox
            key={property}
            label={text(property === 'strike_through' ? 'strike' : property)}
            checked={style[property] === true}
            onChange={(on) => set({ [property]: on })}
          />
        ))}
      </div>
    </fieldset>
  );
}

export function ColorInput({
  label,
  value,
  isBare = false,
  onChange,
}: {
  label: string;
  value: string;
  isBare?: boolean;
  onChange: (color: string) => void;
}): ReactNode {
  const input = (
    <input
      type="color"
      aria-label={label}
      className="h-8 w-12 cursor-pointer rounded-md border border-strong-line bg-raised"
      value={`#${value.slice(-6).toLowerCase()}`}
      onChange={(event) => onChange(event.target.value.slice(1).toUpperCase())}
    />
  );
  return isBare ? (
    input
  ) : (
    <label className="flex items-center gap-2 text-[0.933rem]">
      {input}
      {label}
    </label>
  );
}

const css = (color: string | undefined): string | undefined => (color ? `#${color.slice(-6)}` : undefined);

export function RuleSample({ rule }: { rule: Pick<Rule, 'kind' | 'style' | 'colors'> }): ReactNode {
  const { style, colors = [] } = rule;
  const box = 'flex h-6 w-9 shrink-0 items-center justify-center overflow-hidden rounded border border-line text-xs';
  if (rule.kind === 'scale')
    return (
      <span
        aria-hidden
        className={box}
        style={{ background: `linear-gradient(to right, ${colors.map(css).join(', ')})` }}
      />
    );
  if (rule.kind === 'bar')
    return (
      <span aria-hidden className={`${box} justify-start bg-paper`}>
        <span className="h-3.5 w-6 rounded-r" style={{ background: css(colors[0]) }} />
      </span>
    );
  return (
    <span
      aria-hidden
      className={`${box} ${style?.bg_color ? '' : 'bg-paper'}`}
      style={{
        backgroundColor: css(style?.bg_color),
        color: css(style?.font_color),
        fontWeight: style?.bold ? 700 : undefined,
        fontStyle: style?.italic ? 'italic' : undefined,
        textDecoration: [style?.underline && 'underline', style?.strike_through && 'line-through']
          .filter(Boolean)
          .join(' '),
      }}
    >
      {rule.kind === 'icons' ? '▲▼' : 'Aa'}
    </span>
  );
}
