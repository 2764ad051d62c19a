import type { ReactNode } from 'react';
import type { Rule } from './conditional-rule.ts';

const css = (color: string | undefined): string | undefined => (color ? `#${color.slice(-6)}` : undefined);

/** A sample cell with the rule's format. */
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
