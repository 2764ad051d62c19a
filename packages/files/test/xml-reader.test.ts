import fc from 'fast-check';
import { expect, test } from 'vitest';
import { closeToken, endToken, openToken, XmlReader, type XmlSource } from '../src/xml/xml-reader.ts';
import { BytesSource, StringSource } from '../src/xml/xml-source.ts';
import { scanXml } from '../src/xml/sax.ts';

/** Tokens as text; neighboring texts are one, for where they are cut is the reader's affair. */
function tokens(source: XmlSource): string[] {
  const reader = new XmlReader(source, 'the part');
  const found: string[] = [];
  let text = '';
  for (let token = reader.next(); ; token = reader.next()) {
    if (token !== openToken && token !== closeToken && token !== endToken) {
      text += reader.text;
      continue;
    }
    if (text !== '') found.push(`"${text}"`);
    text = '';
    if (token === endToken) return found;
    if (token === closeToken) found.push(`/${reader.name}`);
    else found.push(`${reader.name}${[...reader.attributes()].map(([name, value]) => ` ${name}=${value}`).join('')}`);
  }
}

/** Hands the text out in pieces of a few characters. */
function inPieces(text: string, size: number): XmlSource {
  let at = 0;
  return {
    next(pieces) {
      if (at >= text.length) return undefined;
      const piece = text.slice(at, at + size * pieces);
      at += size * pieces;
      return piece;
    },
  };
}

const sample = [
  '<?xml version="1.0"?><!-- a > b <c> --><x:a  one = "1" two=\'"2"\'\n\tthree="a>b"><b/><b /><c\n></c\t>',
  't1 &lt;&#65;&#x4e2d;&apos; &unknown; <![CDATA[<raw> & ]]]]><!-- in --> t2<?pi >?></x:a>',
].join('');
const expected = [
  'a one=1 two="2" three=a>b',
  'b',
  '/b',
  'b',
  '/b',
  'c',
  '/c',
  `"t1 <A中' &unknown; <raw> & ]] t2"`,
  '/a',
];

test('[finding X1] every way XML has of writing the same thing is read', () => {
  expect(tokens(new StringSource(sample))).toEqual(expected);
});

test('[finding X1] it does not matter where the text is cut into pieces', () => {
  for (let size = 1; size <= sample.length; size++) expect(tokens(inPieces(sample, size))).toEqual(expected);
});

test.each([
  ['UTF-8', Buffer.from(sample)],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${sample}`)],
  ['UTF-16 with a mark', Buffer.from(`\ufeff${sample}`, 'utf16le')],
  ['UTF-16 without a mark', Buffer.from(sample, 'utf16le')],
  ['UTF-16 from the other end', Buffer.from(`\ufeff${sample}`, 'utf16le').swap16()],
])('[finding X1] %s is read', (_name, bytes) => {
  expect(tokens(new BytesSource(bytes))).toEqual(expected);
});

test('line ends are one kind in text and spaces in attributes, unless they are written as numbers', () => {
  expect(tokens(new StringSource('<a b="1\r\n2&#10;3">1\r\n2\r3&#13;</a>'))).toEqual([
    'a b=1 2\n3',
    '"1\n2\n3\r"',
    '/a',
  ]);
});

test('what an element holds is taken whole, comments and CDATA among it', () => {
  const reader = new XmlReader(
    new StringSource('<a><v>1<!-- 2 -->3<![CDATA[<]]><w>no</w>4</v><v/><v> </v></a>'),
    'the part',
  );
  reader.next();
  const values = [];
  while (reader.next() === openToken) values.push(reader.content());
  expect(values).toEqual(['13<4', '', ' ']);
});

test.each([
  ['<a', 'is truncated'],
  ['<a b="1', 'is truncated'],
  ['<a><!-- ', 'is truncated'],
  ['<a b=1>', 'the attribute "b" without a quoted value'],
  ['<a b>', 'the attribute "b" without a quoted value'],
  ['<a></>< b>', 'a tag without a name'],
  ['<!DOCTYPE a><a/>', 'declares a document type'],
  ['<a/><!ENTITY x "y">', 'declares a document type'],
  ['<a></a></a>', 'never opened'],
])('%s is refused', (xml, message) => {
  expect(() => scanXml(xml, 'the part', {})).toThrow(message);
});

test('a document type inside a comment or CDATA is text', () => {
  expect(tokens(new StringSource('<a><!-- <!DOCTYPE x> --><![CDATA[<!DOCTYPE x>]]></a>'))).toEqual([
    'a',
    '"<!DOCTYPE x>"',
    '/a',
  ]);
});

test('pieces of any text end in the same tokens or the same refusal', () => {
  const outcome = (source: XmlSource): unknown => {
    try {
      return tokens(source);
    } catch (error) {
      return (error as Error).message;
    }
  };
  const mark = fc.constantFrom(
    '<',
    '>',
    '/',
    '"',
    "'",
    '=',
    'a',
    ':b',
    ' ',
    '&',
    'amp;',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<?',
    '?>',
    '!',
    '中',
  );
  fc.assert(
    fc.property(fc.array(mark, { maxLength: 30 }), fc.integer({ min: 1, max: 7 }), (marks, size) => {
      const xml = marks.join('');
      expect(outcome(inPieces(xml, size))).toEqual(outcome(new StringSource(xml)));
    }),
    { numRuns: 3000 },
  );
});
