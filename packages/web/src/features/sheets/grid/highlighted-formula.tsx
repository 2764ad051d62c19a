import type { ReactNode } from 'react';
import { referencesIn } from './edit-state.ts';
import { referenceColors } from './reference-highlights.ts';

/**
 * Shows a formula with colored references. It lies behind a text field with the same text in transparent color, because
 * a text field cannot color parts of its text.
 */
export function HighlightedFormula({
  text,
  isDark,
  className,
  font,
}: {
  text: string;
  isDark: boolean;
  className: string;
  font?: string;
}): ReactNode {
  if (!text.startsWith('=')) return null;
  const colors = isDark ? referenceColors.dark : referenceColors.light;
  const pieces: ReactNode[] = [];
  let at = 0;
  referencesIn(text).forEach((one, index) => {
    pieces.push(text.slice(at, one.from));
    pieces.push(
      <span key={one.from} style={{ color: colors[index % colors.length] }}>
        {text.slice(one.from, one.to)}
      </span>,
    );
    at = one.to;
  });
  pieces.push(text.slice(at));
  return (
    <div aria-hidden className={className} style={font === undefined ? undefined : { font }}>
      {pieces}
    </div>
  );
}
