import type { CellStyle } from './tile-cache.ts';

export function styleToCss(look: CellStyle): string {
  const parts: string[] = [];
  if (look.bold) parts.push('font-weight:bold');
  if (look.italic) parts.push('font-style:italic');
  const lines = [look.underline === undefined ? '' : 'underline', look.strikeThrough ? 'line-through' : '']
    .filter(Boolean)
    .join(' ');
  if (lines !== '') parts.push(`text-decoration:${lines}`);
  if (look.fontColor !== undefined) parts.push(`color:#${look.fontColor.slice(-6)}`);
  if (look.bgColor !== undefined) parts.push(`background-color:#${look.bgColor.slice(-6)}`);
  if (look.horizontalAlign !== undefined && look.horizontalAlign !== 'general')
    parts.push(`text-align:${look.horizontalAlign}`);
  if (look.verticalAlign === 'top' || look.verticalAlign === 'bottom')
    parts.push(`vertical-align:${look.verticalAlign}`);
  if (look.verticalAlign === 'center') parts.push('vertical-align:middle');
  if (look.fontFamily !== undefined) parts.push(`font-family:'${look.fontFamily.replaceAll(/['";]/g, '')}'`);
  if (look.numberFormat !== undefined && look.numberFormat !== 'General')
    parts.push(
      `mso-number-format:"${look.numberFormat.replaceAll(/[^\w ]/g, (sign) => (sign === '"' ? '\\0022' : `\\${sign}`))}"`,
    );
  for (const [side, line] of [
    ['top', look.borderTop],
    ['bottom', look.borderBottom],
    ['left', look.borderLeft],
    ['right', look.borderRight],
  ] as const)
    if (line !== undefined) parts.push(`border-${side}:${borderCss(line)}`);
  if (look.fontSize !== undefined) parts.push(`font-size:${look.fontSize}pt`);
  if (look.wrapText) parts.push('white-space:pre-wrap');
  return parts.join(';');
}

const lineWidths: Readonly<Record<string, string>> = { medium: '1.5pt', thick: '2.25pt', double: '2.25pt' };

function borderCss(line: string): string {
  const [style = 'thin', color = '000000'] = line.split(':');
  const drawn = style === 'dashed' || style === 'dotted' || style === 'double' ? style : 'solid';
  return `${lineWidths[style] ?? '.5pt'} ${drawn} #${color.slice(-6)}`;
}
