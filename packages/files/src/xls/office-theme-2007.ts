import { defaultTheme } from '../xlsx/default-theme.ts';

const colors: Readonly<Record<string, string>> = {
  dk2: '1F497D',
  lt2: 'EEECE1',
  accent1: '4F81BD',
  accent2: 'C0504D',
  accent3: '9BBB59',
  accent4: '8064A2',
  accent5: '4BACC6',
  accent6: 'F79646',
  hlink: '0000FF',
  folHlink: '800080',
};

/** Theme part of xlsx with the colors of Excel 2007 and 2010, which .xls files from these versions refer to. */
export const officeTheme2007 = defaultTheme.replaceAll(
  /<a:(\w+)><a:srgbClr val="[0-9A-F]{6}"\/>/g,
  (whole, name: string) => (colors[name] === undefined ? whole : `<a:${name}><a:srgbClr val="${colors[name]}"/>`),
);
