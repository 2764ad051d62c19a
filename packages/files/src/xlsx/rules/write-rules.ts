import {
  type ConditionalFormat,
  rectOf,
  type Region,
  type Style,
  type Validation,
} from '@sheaf/engine/internal/document';
import { cellName, rectName } from '@sheaf/engine';
import { fontDifference, type StyleWriter } from '../write-styles.ts';
import { xmlEscape } from '../xml-escape.ts';
import { regionsOf } from '../passthrough/passthrough-reader.ts';
import { fingerprint } from '../passthrough/fingerprint.ts';
import { operators, periods, ruleTypes, thresholdTypes, textRules, validationTypes } from './ooxml-rule-names.ts';

/** Returns the XML of the conditional formats, with one element per rule. `formats` must be in order of precedence. */
export function conditionalFormatsXml(formats: readonly ConditionalFormat[], styles: StyleWriter): string {
  // Write the priorities from the imported file if they are still in ascending order, otherwise new ones. Equal
  // priorities count as ascending, because rules of a file may share one.
  const told = formats.map((one) => one.kept?.priority ?? 0);
  const isTold = told.every((one, i) => one > 0 && one >= (told[i - 1] ?? 0));
  return formats
    .map((one, index) => {
      const look = one.kept?.format ?? (one.style ? differentialFormatXml(one.style, styles) : undefined);
      const start =
        `type="${typeOf(one)}"${look === undefined ? '' : ` dxfId="${styles.format(look)}"`} priority="${isTold ? told[index] : index + 1}"` +
        `${one.stop ? ' stopIfTrue="1"' : ''}`;
      const written = bodyOf(one);
      const { attributes, inside } = one.kept?.rule?.read === fingerprint(written) ? one.kept.rule : written;
      const body = inside + (one.kept?.more ?? '');
      const rule = body === '' ? `<cfRule ${start}${attributes}/>` : `<cfRule ${start}${attributes}>${body}</cfRule>`;
      const { sqref } = one.kept ?? {};
      const ranges = sqrefOf(one.regions);
      const place = sqref !== undefined && sqrefOf(regionsOf(sqref)) === ranges ? xmlEscape(sqref) : ranges;
      return `<conditionalFormatting sqref="${place}">${rule}</conditionalFormatting>`;
    })
    .join('');
}

/** Returns the ranges in the syntax of the attribute `sqref`. */
export function sqrefOf(regions: readonly Region[]): string {
  return regions.map((region) => rectName(rectOf(region))).join(' ');
}

function typeOf({ kind, test }: Omit<ConditionalFormat, 'id'>): string {
  return kind === 'text' ? textRules[(test ?? 'contains') as keyof typeof textRules].type : ruleTypes[kind];
}

function formula(text: string): string {
  return `<formula>${xmlEscape(text)}</formula>`;
}

/** Returns the XML attributes and content of a conditional formatting rule. */
export function bodyOf(one: Omit<ConditionalFormat, 'id'>): { attributes: string; inside: string } {
  const { formulas = [], regions } = one;
  const first = cellName(regions[0]?.[0] ?? 0, regions[0]?.[1] ?? 0);
  switch (one.kind) {
    case 'cell':
      return {
        attributes: ` operator="${operators[(one.test ?? 'equal') as keyof typeof operators]}"`,
        inside: formulas.map(formula).join(''),
      };
    case 'formula':
      return { attributes: '', inside: formulas.map(formula).join('') };
    case 'text': {
      const test = (one.test ?? 'contains') as keyof typeof textRules;
      const [wanted = '""'] = formulas;
      const plain = /^"((?:[^"]|"")*)"$/.exec(wanted)?.[1]?.replaceAll('""', '"');
      return {
        attributes: ` operator="${textRules[test].operator}"${plain === undefined ? '' : ` text="${xmlEscape(plain)}"`}`,
        inside: formula(textFormula(test, wanted, first)),
      };
    }
    case 'date':
      return { attributes: ` timePeriod="${periods[one.period ?? 'today']}"`, inside: '' };
    case 'top':
      return {
        attributes: `${one.percent ? ' percent="1"' : ''}${one.below ? ' bottom="1"' : ''} rank="${one.rank ?? 10}"`,
        inside: '',
      };
    case 'average':
      return {
        attributes:
          `${one.below ? ' aboveAverage="0"' : ''}${one.equal ? ' equalAverage="1"' : ''}` +
          `${one.deviations ? ` stdDev="${one.deviations}"` : ''}`,
        inside: '',
      };
    case 'blank':
      return { attributes: '', inside: formula(`LEN(TRIM(${first}))=0`) };
    case 'not_blank':
      return { attributes: '', inside: formula(`LEN(TRIM(${first}))>0`) };
    case 'error':
      return { attributes: '', inside: formula(`ISERROR(${first})`) };
    case 'not_error':
      return { attributes: '', inside: formula(`NOT(ISERROR(${first}))`) };
    case 'scale':
    case 'bar':
    case 'icons':
      return { attributes: '', inside: thresholdsXml(one) };
    default:
      return { attributes: '', inside: '' };
  }
}

function textFormula(test: keyof typeof textRules, wanted: string, cell: string): string {
  switch (test) {
    case 'contains':
      return `NOT(ISERROR(SEARCH(${wanted},${cell})))`;
    case 'not_contains':
      return `ISERROR(SEARCH(${wanted},${cell}))`;
    case 'begins_with':
      return `LEFT(${cell},LEN(${wanted}))=${wanted}`;
    default:
      return `RIGHT(${cell},LEN(${wanted}))=${wanted}`;
  }
}

function thresholdsXml(one: Omit<ConditionalFormat, 'id'>): string {
  const tag = typeOf(one);
  const values = (one.steps ?? []).map(({ type, above }, index) => {
    const value = one.formulas?.[index] ?? '';
    const hasValue = value !== '' && type !== 'min' && type !== 'max';
    return `<cfvo type="${thresholdTypes[type]}"${hasValue ? ` val="${xmlEscape(value)}"` : ''}${above ? ' gte="0"' : ''}/>`;
  });
  const colors = one.kind === 'bar' ? [one.color ?? 'FF638EC6'] : (one.steps ?? []).flatMap(({ color }) => color ?? []);
  const attributes =
    (one.kind === 'icons' ? ` iconSet="${xmlEscape(one.icons ?? '3TrafficLights1')}"` : '') +
    (one.hidesValue ? ' showValue="0"' : '') +
    (one.reverse ? ' reverse="1"' : '');
  return `<${tag}${attributes}>${values.join('')}${colors.map((color) => `<color rgb="${color}"/>`).join('')}</${tag}>`;
}

function differentialFormatXml(style: Style, styles: StyleWriter): string {
  const font = fontDifference(style);
  const { numberFormat } = style;
  const format = numberFormat
    ? `<numFmt numFmtId="${styles.numberFormat(numberFormat)}" formatCode="${xmlEscape(numberFormat)}"/>`
    : '';
  const fill = style.bgColor ? `<fill><patternFill><bgColor rgb="${style.bgColor}"/></patternFill></fill>` : '';
  return `<dxf>${font === '' ? '' : `<font>${font}</font>`}${format}${fill}</dxf>`;
}

/** Returns the XML of a data validation: the imported XML if the validation is unchanged, otherwise generated XML. */
export function validationXml(one: Validation): string {
  const written = modeledValidation(one);
  return one.kept?.rule?.read === fingerprint(written) ? one.kept.rule.xml : written;
}

export function modeledValidation(one: Validation): string {
  const { kind, test, formulas = [], required, hidesList, prompt, error, kept } = one;
  const attribute = (name: string, value: string | undefined): string =>
    value === undefined || value === '' ? '' : ` ${name}="${xmlEscape(value)}"`;
  const attributes =
    attribute('type', kind === 'any' ? undefined : validationTypes[kind]) +
    attribute('errorStyle', error?.style) +
    attribute('operator', test === undefined || test === 'between' ? kept?.operator : operators[test]) +
    (required || kept?.blank === false ? '' : ' allowBlank="1"') +
    (hidesList ? ' showDropDown="1"' : kept?.button ? ' showDropDown="0"' : '') +
    (prompt && !prompt.silent ? ' showInputMessage="1"' : '') +
    (error?.silent ? '' : ' showErrorMessage="1"') +
    attribute('errorTitle', error?.title) +
    attribute('error', error?.text) +
    attribute('promptTitle', prompt?.title) +
    attribute('prompt', prompt?.text);
  const inside = formulas.map((text, i) => `<formula${i + 1}>${xmlEscape(text)}</formula${i + 1}>`).join('');
  return `<dataValidation${attributes} sqref="${sqrefOf(one.regions)}">${inside}</dataValidation>`;
}
