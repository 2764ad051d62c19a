import { xmlDeclaration } from './xml-escape.ts';

const colors: readonly (readonly [name: string, value: string])[] = [
  ['dk1', '<a:sysClr val="windowText" lastClr="000000"/>'],
  ['lt1', '<a:sysClr val="window" lastClr="FFFFFF"/>'],
  ['dk2', '<a:srgbClr val="44546A"/>'],
  ['lt2', '<a:srgbClr val="E7E6E6"/>'],
  ['accent1', '<a:srgbClr val="4472C4"/>'],
  ['accent2', '<a:srgbClr val="ED7D31"/>'],
  ['accent3', '<a:srgbClr val="A5A5A5"/>'],
  ['accent4', '<a:srgbClr val="FFC000"/>'],
  ['accent5', '<a:srgbClr val="5B9BD5"/>'],
  ['accent6', '<a:srgbClr val="70AD47"/>'],
  ['hlink', '<a:srgbClr val="0563C1"/>'],
  ['folHlink', '<a:srgbClr val="954F72"/>'],
];

/** Default colors of chart series, assigned in order. */
export const accentColors: readonly string[] = ['4472C4', 'ED7D31', 'A5A5A5', 'FFC000', '5B9BD5', '70AD47'];

const placeholder = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>';
const font = (latin: string): string => `<a:latin typeface="${latin}"/><a:ea typeface=""/><a:cs typeface=""/>`;
const line = (width: number): string => `<a:ln w="${width}">${placeholder}<a:prstDash val="solid"/></a:ln>`;

/** Theme for exported files without an imported theme. Without any theme, programs draw charts without colors. */
export const defaultTheme =
  `${xmlDeclaration}<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="Office"><a:themeElements>` +
  `<a:clrScheme name="Office">${colors.map(([name, value]) => `<a:${name}>${value}</a:${name}>`).join('')}</a:clrScheme>` +
  `<a:fontScheme name="Office"><a:majorFont>${font('Calibri Light')}</a:majorFont>` +
  `<a:minorFont>${font('Calibri')}</a:minorFont></a:fontScheme><a:fmtScheme name="Office">` +
  `<a:fillStyleLst>${placeholder.repeat(3)}</a:fillStyleLst>` +
  `<a:lnStyleLst>${line(6350)}${line(12700)}${line(19050)}</a:lnStyleLst>` +
  `<a:effectStyleLst>${'<a:effectStyle><a:effectLst/></a:effectStyle>'.repeat(3)}</a:effectStyleLst>` +
  `<a:bgFillStyleLst>${placeholder.repeat(3)}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>`;
