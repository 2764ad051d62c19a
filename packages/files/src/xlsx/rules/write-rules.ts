import {
  type ConditionalFormat,
  rectOf,
  type Region,
  type SheetDocument,
  type Style,
  type SubSheet,
  type Validation,
} from '@sheaf/engine/internal/document';
import { cellName, FormulaSyntaxError, rectName } from '@sheaf/engine';
import { createDefinedNameTest } from '../names-for-file-formulas.ts';
import { fromFileSyntax, toFileSyntax } from '../formula-file-syntax.ts';
import { fontDifference, type StyleWriter } from '../write-styles.ts';
import { xmlEscape } from '../xml-escape.ts';
import { regionsOf } from '../passthrough/passthrough-reader.ts';
import { fingerprint } from '../passthrough/fingerprint.ts';
import { operators, periods, ruleTypes, thresholdTypes, textRules, validationTypes } from './ooxml-rule-names.ts';

/** Returns a rule with each of its formulas replaced by the result of `change`. */
export function withFormulas<T extends Pick<Validation, 'formulas'>>(one: T, change: (text: string) => string): T {
  return one.formulas ? { ...one, formulas: one.formulas.map((text) => change(text)) } : one;
}

/** Returns the rule with its formulas in the syntax of xlsx files. */
function inFileSyntax<T extends Pick<Validation, 'formulas' | 'regions'>>(
  one: T,
  document: SheetDocument,
  sub: SubSheet,
): T {
  const isDefined = createDefinedNameTest(document, sub);
  const [top = 0, left = 0] = one.regions[0] ?? [];
  return withFormulas(one, (text) => {
    // Documents imported by earlier versions may hold this formula in the syntax of xlsx files. Convert it from there
    // first; a formula in the syntax of the engine stays as it is.
    const formula = fromFileSyntax(text);
    return toFileSyntax(formula, variablesOf(document, formula, top, left), isDefined);
  });
}

/** Returns the variables of LET and LAMBDA in a formula; undefined if the formula cannot be parsed. */
function variablesOf(
  { workbook }: SheetDocument,
  formula: string,
  row: number,
  col: number,
): ReadonlySet<string> | undefined {
  try {
    return workbook.templates.of(formula, row, col).pattern.variables;
  } catch (error) {
    if (error instanceof FormulaSyntaxError) return undefined;
    throw error;
  }
}

/** Returns the XML of a sub-sheet's conditional formats: one element per rule, in order of precedence. */
export function conditionalFormatsXml(document: SheetDocument, sub: SubSheet, styles: StyleWriter): string {
  const { formats } = sub;
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
      const isKept = one.kept?.rule !== undefined && one.kept.rule.read === fingerprint(bodyOf(one));
      const { attributes, inside } = isKept ? one.kept.rule : bodyOf(inFileSyntax(one, document, sub));
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
export function validationXml(one: Validation, document: SheetDocument, sub: SubSheet): string {
  const isKept = one.kept?.rule !== undefined && one.kept.rule.read === fingerprint(modeledValidation(one));
  return isKept ? one.kept.rule.xml : modeledValidation(inFileSyntax(one, document, sub));
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
