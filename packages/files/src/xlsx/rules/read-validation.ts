import type { Validation } from '@sheaf/engine/internal/document';
import { regionsOf } from '../passthrough/passthrough-reader.ts';
import { fingerprint } from '../passthrough/fingerprint.ts';
import { fromFileSyntax, toFileSyntax } from '../formula-file-syntax.ts';
import { mainNamespace } from '../xml-escape.ts';
import { childrenNamed, printXml, textOf, type XmlElement } from '../xml-tree.ts';
import { modeledValidation, withFormulas } from './write-rules.ts';
import { keyByName, operators, validationTypes } from './ooxml-rule-names.ts';

/** Reads a data validation. Returns undefined if it has no range or uses a setting that documents do not support. */
export function readValidation({ attributes, ...element }: XmlElement, id: string): Validation | undefined {
  const regions = regionsOf(attributes.get('sqref') ?? '');
  const kind = keyByName(validationTypes, attributes.get('type') ?? 'none');
  const test = keyByName(operators, attributes.get('operator') ?? 'between');
  if (regions.length === 0 || !kind || !test || attributes.has('imeMode')) return undefined;
  const whole = { attributes, ...element };
  const formulas = ['formula1', 'formula2'].flatMap((name) =>
    childrenNamed(whole, name).map((one) => fromFileSyntax(textOf(one)).slice(1)),
  );
  const isOn = (name: string): boolean => ['1', 'true'].includes(attributes.get(name) ?? '0');
  const style = attributes.get('errorStyle');
  const told = (title: string, text: string) => ({
    ...(attributes.get(title) ? { title: attributes.get(title)! } : {}),
    ...(attributes.get(text) ? { text: attributes.get(text)! } : {}),
  });
  const hint = told('promptTitle', 'prompt');
  const prompt = {
    ...hint,
    ...(Object.keys(hint).length > 0 && !isOn('showInputMessage') ? { silent: true as const } : {}),
  };
  const error = {
    ...told('errorTitle', 'error'),
    ...(style === 'warning' || style === 'information' ? { style: style as 'warning' | 'information' } : {}),
    ...(isOn('showErrorMessage') ? {} : { silent: true as const }),
  };
  const isCompared = kind !== 'list' && kind !== 'custom' && kind !== 'any';
  const kept = {
    ...(kind === 'any' && !isOn('allowBlank') ? { blank: false as const } : {}),
    ...(!isCompared && test !== 'between' ? { operator: operators[test] } : {}),
    ...(attributes.has('showDropDown') && !isOn('showDropDown') ? { button: true as const } : {}),
  };
  const validation: Validation = {
    id,
    regions,
    kind,
    ...(formulas.length > 0 ? { formulas } : {}),
    ...(isCompared ? { test } : {}),
    ...(isOn('allowBlank') || kind === 'any' ? {} : { required: true }),
    ...(isOn('showDropDown') ? { hidesList: true } : {}),
    ...(Object.keys(prompt).length > 0 || isOn('showInputMessage') ? { prompt } : {}),
    ...(Object.keys(error).length > 0 ? { error } : {}),
    ...(Object.keys(kept).length > 0 ? { kept } : {}),
  };
  const written = modeledValidation(validation);
  const xml = printXml(whole, mainNamespace);
  const isSame = xml === modeledValidation(withFormulas(validation, toFileSyntax));
  return isSame ? validation : { ...validation, kept: { ...kept, rule: { read: fingerprint(written), xml } } };
}
