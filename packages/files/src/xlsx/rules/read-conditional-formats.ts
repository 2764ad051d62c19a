import { isTrue } from '../../containers/package-parts.ts';
import type { ConditionalFormat, FormatStep, Region, Style } from '@sheaf/engine/internal/document';
import { colorOf, type Theme } from '../colors.ts';
import { regionsOf } from '../passthrough/passthrough-reader.ts';
import { childrenNamed, localNameOf, parseXml, printXml, textOf, type XmlElement } from '../xml-tree.ts';
import { readFont } from '../read-styles.ts';
import { fromFileSyntax, toFileSyntax } from '../formula-file-syntax.ts';
import { unprefixedAttributesXml, mainNamespace } from '../xml-escape.ts';
import { fingerprint } from '../passthrough/fingerprint.ts';
import { bodyOf, sqrefOf, withFormulas } from './write-rules.ts';
import { keyByName, operators, periods, ruleTypes, thresholdTypes, textRules } from './ooxml-rule-names.ts';

export interface ParsedFormat {
  readonly format: Omit<ConditionalFormat, 'id'>;
  readonly priority: number;
}

interface ReadContext {
  readonly theme: Theme;
  /** XML of the differential formats (`dxf` elements) in file order. Rules refer to them by index. */
  readonly formats: readonly string[];
}

/**
 * Reads the rules of a `conditionalFormatting` element. Returns undefined if a rule is not supported, or if the element
 * has no range or no rule; the whole element is then stored unchanged for export.
 */
export function readConditionalFormatting(element: XmlElement, reading: ReadContext): ParsedFormat[] | undefined {
  const regions = regionsOf(element.attributes.get('sqref') ?? '');
  if (regions.length === 0) return undefined;
  const sqref = element.attributes.get('sqref') ?? '';
  const words = sqref === sqrefOf(regions) ? {} : { sqref };
  const found = childrenNamed(element, 'cfRule').map((rule) => readRule(rule, regions, words, reading));
  return found.length > 0 && found.every((one) => one !== undefined) ? found : undefined;
}

function readRule(
  rule: XmlElement,
  regions: readonly Region[],
  words: { readonly sqref?: string },
  reading: ReadContext,
): ParsedFormat | undefined {
  const { attributes } = rule;
  const own = readKind(rule, reading);
  if (!own) return undefined;
  const look = reading.formats[Number(attributes.get('dxfId') ?? -1)];
  const more = childrenNamed(rule, 'extLst')
    .map((one) => printXml(one, mainNamespace))
    .join('');
  const priority = Number(attributes.get('priority') ?? 0) || 0;
  const kept = {
    ...words,
    priority,
    ...(look === undefined ? {} : { format: look }),
    ...(more === '' ? {} : { more }),
  };
  const style = look === undefined ? undefined : readDifferentialFormat(look, reading.theme);
  const format = {
    regions,
    ...own,
    ...(style && Object.keys(style).length > 0 ? { style } : {}),
    ...(isTrue(attributes.get('stopIfTrue')) ? { stop: true as const } : {}),
  };
  const written = bodyOf(format);
  const said = {
    attributes: unprefixedAttributesXml(attributes, ['type', 'dxfId', 'priority', 'stopIfTrue']),
    inside: rule.children
      .map((one) => (typeof one === 'string' || localNameOf(one.tag) === 'extLst' ? '' : printXml(one, mainNamespace)))
      .join(''),
  };
  const expected = bodyOf(withFormulas(format, toFileSyntax));
  const isSame = said.attributes === expected.attributes && said.inside === expected.inside;
  return {
    priority,
    format: { ...format, kept: isSame ? kept : { ...kept, rule: { read: fingerprint(written), ...said } } },
  };
}

type Kind = Omit<ConditionalFormat, 'id' | 'regions'>;

function readKind(rule: XmlElement, { theme }: ReadContext): Kind | undefined {
  const { attributes } = rule;
  const type = attributes.get('type') ?? '';
  const formulas = childrenNamed(rule, 'formula').map((one) => fromFileSyntax(textOf(one)).slice(1));
  const text = Object.entries(textRules).find(([, names]) => names.type === type);
  if (text) {
    const wanted = attributes.get('text');
    if (wanted === undefined) return undefined;
    return { kind: 'text', test: text[0] as keyof typeof textRules, formulas: [`"${wanted.replaceAll('"', '""')}"`] };
  }
  const kind = keyByName(ruleTypes, type);
  switch (kind) {
    case undefined:
      return undefined;
    case 'cell': {
      const test = keyByName(operators, attributes.get('operator') ?? '');
      return test && formulas.length > 0 ? { kind, test, formulas } : undefined;
    }
    case 'formula':
      return formulas.length > 0 ? { kind, formulas: formulas.slice(0, 1) } : undefined;
    case 'date': {
      const period = keyByName(periods, attributes.get('timePeriod') ?? '');
      return period && { kind, period };
    }
    case 'top':
      return {
        kind,
        rank: Math.max(1, Number(attributes.get('rank') ?? 10) || 10),
        ...(isTrue(attributes.get('percent')) ? { percent: true } : {}),
        ...(isTrue(attributes.get('bottom')) ? { below: true } : {}),
      };
    case 'average': {
      const deviations = Number(attributes.get('stdDev') ?? 0) || 0;
      return {
        kind,
        ...(['0', 'false'].includes(attributes.get('aboveAverage') ?? '1') ? { below: true } : {}),
        ...(isTrue(attributes.get('equalAverage')) ? { equal: true } : {}),
        ...(deviations > 0 ? { deviations } : {}),
      };
    }
    case 'scale':
    case 'bar':
    case 'icons':
      return readThresholds(kind, childrenNamed(rule, type)[0], theme);
    default:
      return { kind };
  }
}

function readThresholds(
  kind: 'scale' | 'bar' | 'icons',
  element: XmlElement | undefined,
  theme: Theme,
): Kind | undefined {
  if (!element) return undefined;
  const colors = childrenNamed(element, 'color').map((one) => colorOf(one.attributes, theme) ?? 'FFFFFFFF');
  const values = childrenNamed(element, 'cfvo');
  const steps: FormatStep[] = [];
  for (const [index, one] of values.entries()) {
    const type = keyByName(thresholdTypes, one.attributes.get('type') ?? '');
    if (!type) return undefined;
    const color = kind === 'scale' ? colors[index] : undefined;
    steps.push({
      type,
      ...(color === undefined ? {} : { color }),
      ...(['0', 'false'].includes(one.attributes.get('gte') ?? '1') ? { above: true } : {}),
    });
  }
  if (steps.length < 2) return undefined;
  return {
    kind,
    steps,
    formulas: values.map((one) => fromFileSyntax(one.attributes.get('val') ?? '').slice(1)),
    ...(kind === 'bar' ? { color: colors[0] ?? 'FF638EC6' } : {}),
    ...(kind === 'icons' ? { icons: element.attributes.get('iconSet') ?? '3TrafficLights1' } : {}),
    ...(isTrue(element.attributes.get('reverse')) ? { reverse: true } : {}),
    ...(['0', 'false'].includes(element.attributes.get('showValue') ?? '1') ? { hidesValue: true } : {}),
  };
}

/** Returns the font, background color and number format that a differential format (XLSX element `dxf`) sets. */
function readDifferentialFormat(xml: string, theme: Theme): Style {
  const style: { -readonly [Key in keyof Style]?: Style[Key] } = {};
  const root = parseXml(xml, 'a format');
  for (const part of root?.children ?? []) {
    if (typeof part === 'string') continue;
    const name = localNameOf(part.tag);
    if (name === 'font') {
      for (const one of part.children)
        if (typeof one !== 'string')
          readFont(style, { name: localNameOf(one.tag), attributes: one.attributes, path: ['font'] }, theme);
    } else if (name === 'fill') {
      const [pattern] = childrenNamed(part, 'patternFill');
      const [color] = pattern ? [...childrenNamed(pattern, 'bgColor'), ...childrenNamed(pattern, 'fgColor')] : [];
      const told = color && colorOf(color.attributes, theme);
      if (told) style.bgColor = told;
    } else if (name === 'numFmt') {
      const code = part.attributes.get('formatCode');
      if (code && code !== 'General') style.numberFormat = code;
    }
  }
  return style;
}
