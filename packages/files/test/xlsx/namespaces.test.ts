import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { writeXlsx } from '../../src/xlsx/write-workbook.ts';
import { fullFeatureWorkbook } from '@sheaf/tools/testing/xlsx/full-feature-workbook.ts';
import { readTestWorkbook } from '@sheaf/tools/testing/xlsx/document-fixtures.ts';

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const x14 = 'http://schemas.microsoft.com/office/spreadsheetml/2009/9/main';

/** Without prefixes, in a namespace of its own. */
const unprefixed =
  `<dataValidations xmlns="${x14}" count="1"><dataValidation type="whole"><formula1>` +
  '<f xmlns="http://schemas.microsoft.com/office/excel/2006/main">1</f></formula1>' +
  '<sqref xmlns="http://schemas.microsoft.com/office/excel/2006/main">F1</sqref></dataValidation></dataValidations>';
const extension = `<extLst><ext uri="{CCE6A557-97BC-4b89-ADB6-D9C93CAAB3DF}">${unprefixed}</ext></extLst>`;

const tags = /<(\/?)([A-Za-z_][\w:.-]*)((?:\s+[\w:.-]+="[^"]*")*)\s*(\/?)>/g;
const attributesIn = /([\w:.-]+)="([^"]*)"/g;

/** A part with every name as what it stands for; throws where a prefix stands for nothing or tags do not match. */
function expanded(part: string, xml: string): string {
  const open: { tag: string; scope: Map<string, string> }[] = [];
  let out = '';
  let end = 0;
  const nameOf = (name: string, scope: Map<string, string>, isAttribute: boolean): string => {
    const [prefix, local] = name.includes(':') ? (name.split(':') as [string, string]) : ['', name];
    const uri = prefix === '' ? (isAttribute ? '' : (scope.get('') ?? '')) : scope.get(prefix);
    if (uri === undefined) throw new Error(`${part}: the prefix of ${name} stands for nothing`);
    return `{${uri}}${local}`;
  };
  const body = xml.replace(/^\ufeff?<\?xml[^>]*\?>\s*/, '');
  for (const [whole, close, tag, attributes, isEmpty] of body.matchAll(tags)) {
    const at = body.indexOf(whole, end);
    const text = body.slice(end, at);
    if (text.includes('<') || text.includes('>')) throw new Error(`${part}: no tag: ${text.slice(0, 80)}`);
    out += text;
    end = at + whole.length;
    if (close) {
      if (open.pop()?.tag !== tag) throw new Error(`${part}: ${whole} closes nothing`);
      out += '</>';
      continue;
    }
    const scope = new Map(open.at(-1)?.scope ?? [['xml', 'xml']]);
    const own = [...attributes!.matchAll(attributesIn)].map(([, name, value]) => [name!, value!] as const);
    for (const [name, value] of own) if (name === 'xmlns' || name.startsWith('xmlns:')) scope.set(name.slice(6), value);
    const others = own
      .filter(([name]) => !name.startsWith('xmlns'))
      .map(([name, value]) => ` ${nameOf(name, scope, true)}=${value}`);
    out += `<${nameOf(tag!, scope, false)}${others.join('')}>${isEmpty ? '</>' : ''}`;
    if (!isEmpty) open.push({ tag: tag!, scope });
  }
  if (open.length > 0) throw new Error(`${part}: ${open.at(-1)!.tag} is not closed`);
  return out;
}

/** The same part with a prefix for its main namespace: `x` declared at the root, and `y` anew in each element below it. */
function prefixed(xml: string, everywhere: boolean): string {
  if (!xml.includes(`xmlns="${main}"`)) return xml;
  let depth = 0;
  return xml
    .replace(unprefixed, 'unprefixed')
    .replace(`xmlns="${main}"`, `xmlns:x="${main}"`)
    .replaceAll(tags, (whole, close: string, tag: string, rest: string, isEmpty: string) => {
      if (close) depth--;
      const prefix = everywhere && depth > 0 ? 'y' : 'x';
      const declared = everywhere && !close && depth > 0 ? ` xmlns:y="${main}"` : '';
      if (!close && !isEmpty) depth++;
      return tag.includes(':') ? whole : `<${close}${prefix}:${tag}${declared}${rest}${isEmpty}>`;
    })
    .replace('unprefixed', unprefixed);
}

const conditions =
  '<filterColumn colId="1"><customFilters and="1"><customFilter operator="greaterThan" val="10"/>' +
  '<customFilter operator="lessThan" val="900"/></customFilters></filterColumn>' +
  '<filterColumn colId="2"><top10 val="5" filterVal="100"/></filterColumn>';
const sorted = '<sortState ref="A2:C12"><sortCondition ref="B2:B12" descending="1"/></sortState>';
const rule =
  '<conditionalFormatting sqref="C2:C12"><cfRule type="dataBar" priority="3"><dataBar><cfvo type="min"/><cfvo type="max"/>' +
  `<color rgb="FF638EC6"/></dataBar><extLst><ext xmlns:x14="${x14}" uri="{B025F937-C7B1-47D3-B67F-A62EFF666E3E}">` +
  '<x14:id>{00000000-000E-0000-0000-000000000001}</x14:id></ext></extLst></cfRule></conditionalFormatting>';
/** The workbook with everything, and conditions of filters both of a sheet and of a table. */
function parts(): Record<string, string | Uint8Array> {
  const all = unzipSync(fullFeatureWorkbook());
  return Object.fromEntries(
    Object.entries(all).map(([name, bytes]) => {
      if (!/\.(xml|rels)$/.test(name)) return [name, bytes];
      let xml = strFromU8(bytes);
      if (name === 'xl/tables/table1.xml' || xml.includes('<autoFilter ref="A1:C12"/>'))
        xml = xml.replace('<autoFilter ref="A1:C12"/>', `<autoFilter ref="A1:C12">${conditions}${sorted}</autoFilter>`);
      if (name === 'xl/worksheets/sheet1.xml')
        xml = xml.replace('<conditionalFormatting', `${rule}<conditionalFormatting`);
      if (name === 'xl/worksheets/sheet3.xml')
        xml = xml.replace(
          '<sheetData/>',
          '<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData>' +
            `<autoFilter ref="A1:C12">${conditions}</autoFilter>${extension}`,
        );
      return [name, xml];
    }),
  );
}

function exported(source: Record<string, string | Uint8Array>): Record<string, string> {
  const bytes = zipSync(
    Object.fromEntries(
      Object.entries(source).map(([name, part]) => [name, typeof part === 'string' ? strToU8(part) : part]),
    ),
  );
  const out = unzipSync(writeXlsx(readTestWorkbook(bytes).document, { at: new Date(0) }));
  return Object.fromEntries(
    Object.entries(out)
      .filter(([name]) => /\.(xml|rels)$/.test(name))
      .map(([name, part]) => [name, expanded(name, strFromU8(part))]),
  );
}

test('[finding X13] what is kept of a file says what its prefixes stand for', () => {
  const usual = exported(parts());
  expect(usual['xl/worksheets/sheet3.xml']).toContain(`{${main}}customFilter `);
  expect(usual['xl/worksheets/sheet3.xml']).toContain(`{${x14}}dataValidation `);
  expect(Object.values(usual).join('')).toContain(`{${main}}top10 `);
  for (const everywhere of [false, true]) {
    const same = Object.fromEntries(
      Object.entries(parts()).map(([name, part]) => [
        name,
        typeof part === 'string' && name.startsWith('xl/') ? prefixed(part, everywhere) : part,
      ]),
    );
    const found = exported(same);
    expect(Object.keys(found)).toEqual(Object.keys(usual));
    for (const [name, xml] of Object.entries(found)) {
      // Parts that nothing here reads go out byte by byte.
      if (name.startsWith('xl/externalLinks')) continue;
      expect({ name, xml }).toEqual({ name, xml: usual[name] });
    }
  }
});

test('[finding X13] names whose prefix the file says nothing of are left out', () => {
  const source = parts();
  const sheet = 'xl/worksheets/sheet3.xml';
  const found = exported({
    ...source,
    [sheet]: (source[sheet] as string).replaceAll('<customFilter ', '<customFilter z:note="1" '),
  });
  expect(found[sheet]).toContain(`{${main}}customFilter {}operator=greaterThan`);
  expect(found[sheet]).not.toContain('note');
});
