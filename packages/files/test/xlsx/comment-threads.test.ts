import { strFromU8, unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { edit } from '@sheaf/engine';
import { putMark } from '@sheaf/engine/internal/mutations';
import { writeXlsx } from '../../src/xlsx/write-workbook.ts';
import { documentOf, readTestWorkbook } from '@sheaf/tools/testing/xlsx/document-fixtures.ts';
import { relationships, workbookParts, zipped } from '@sheaf/tools/testing/workbook-parts.ts';

const threads = 'http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments';
const behind = '<text><t>[Threaded comment] Is this right?</t></text>';

/** As Excel writes it: a thread of two, one of another author that is done, and a note. */
function withThreads(): Uint8Array {
  const parts = workbookParts({ One: '<row r="1"><c r="A1"><v>3</v></c></row>' }, [
    ['rId90', 'person', 'persons/person.xml'],
  ]);
  parts['xl/persons/person.xml'] =
    `<personList xmlns="${threads}"><person displayName="Ada &amp; Co" id="{P1}" userId="S::ada@example.org::1" providerId="AD"/>` +
    '<person displayName="Bo" id="{P2}" userId="Bo" providerId="None"/></personList>';
  parts['xl/worksheets/_rels/sheet1.xml.rels'] = relationships(
    ['rId1', 'comments', '../comments1.xml'],
    ['rId2', 'threadedComment', '../threadedComments/threadedComment1.xml'],
  );
  parts['xl/comments1.xml'] =
    '<comments xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><authors><author>tc={T1}</author>' +
    '<author>tc={T3}</author><author>Cy</author></authors><commentList>' +
    `<comment ref="B2" authorId="0">${behind}</comment><comment ref="C3" authorId="1"><text><t>[Threaded comment]</t></text></comment>` +
    '<comment ref="D4" authorId="2"><text><t>a note</t></text></comment></commentList></comments>';
  parts['xl/threadedComments/threadedComment1.xml'] =
    `<ThreadedComments xmlns="${threads}"><threadedComment ref="B2" dT="2024-01-02T03:04:05.67" personId="{P1}" id="{T1}">` +
    '<text>Is this right? @Bo</text><mentions><mention mentionpersonId="{P2}" mentionId="{M1}" startIndex="15" length="3"/></mentions>' +
    '</threadedComment><threadedComment ref="C3" dT="2024-01-03T00:00:00.00" personId="{P2}" id="{T3}" done="1"><text>old</text>' +
    '</threadedComment><threadedComment ref="B2" dT="2024-01-04T00:00:00.00" personId="{P2}" id="{T2}" parentId="{T1}">' +
    '<text>yes</text></threadedComment></ThreadedComments>';
  return zipped(parts);
}

function written(bytes: Uint8Array): (part: string) => string {
  const parts = unzipSync(bytes);
  return (part) => strFromU8(parts[part]!);
}

test('[finding X4] threads of a file are threads of the document, with author, time and answers', () => {
  const { document } = readTestWorkbook(withThreads());
  expect(document.subSheets[0]!.comments).toMatchObject([
    { regions: [[3, 3, 3, 3]], note: true, entries: [{ author: 'Cy', text: 'a note' }] },
    {
      regions: [[1, 1, 1, 1]],
      entries: [
        { author: 'Ada & Co', at: Date.UTC(2024, 0, 2, 3, 4, 5, 670), text: 'Is this right? @Bo' },
        { author: 'Bo', at: Date.UTC(2024, 0, 4), text: 'yes' },
      ],
    },
    { regions: [[2, 2, 2, 2]], resolved: true, entries: [{ author: 'Bo', text: 'old' }] },
  ]);
  expect(document.subSheets[0]!.comments.map(({ resolved }) => resolved)).toEqual([undefined, undefined, true]);
  expect(document.subSheets[0]!.carried).toEqual([]);
});

test('[finding X4] they go out as they came, and come back the same', () => {
  const { document } = readTestWorkbook(withThreads());
  const bytes = writeXlsx(document);
  const part = written(bytes);
  const out = part('xl/threadedComments/threadedComment1.xml');
  expect(out).toContain(
    'ref="B2" dT="2024-01-02T03:04:05.67" personId="{P1}" id="{T1}"><text>Is this right? @Bo</text>',
  );
  expect(out).toContain('mentionpersonId="{P2}"');
  expect(out).toContain('personId="{P2}" id="{T2}" parentId="{T1}"><text>yes</text>');
  expect(out).toContain('id="{T3}" done="1"');
  expect(part('xl/comments1.xml')).toContain('<author>tc={T1}</author>');
  expect(part('xl/comments1.xml')).toContain(behind);
  const again = readTestWorkbook(bytes).document;
  expect(again.subSheets[0]!.comments).toEqual(document.subSheets[0]!.comments);
});

test('[finding X4] an answer given here joins the thread, under a person of its own', () => {
  const { document } = readTestWorkbook(withThreads());
  const [sub] = document.subSheets;
  const { kept: _, ...thread } = sub!.comments[1]!;
  const entries = [...thread.entries, { id: 'e', author: 'user_7', at: Date.UTC(2025, 5, 1), text: 'done <&>' }];
  edit(document, [putMark.of({ sheet: sub!.id, list: 'comments', mark: { ...thread, entries } })]);
  // Twice: what one export adds the next must not meet again.
  const bytes = writeXlsx(readTestWorkbook(writeXlsx(document)).document);
  const part = written(bytes);
  expect(part('xl/comments1.xml')).toContain('Reply:\n    done &lt;&amp;&gt;');
  expect(
    readTestWorkbook(bytes).document.subSheets[0]!.comments.find(({ regions }) => regions[0]![0] === 1),
  ).toMatchObject({
    entries: [
      { author: 'Ada & Co', text: 'Is this right? @Bo' },
      { author: 'Bo', text: 'yes' },
      { author: 'user_7', at: Date.UTC(2025, 5, 1), text: 'done <&>' },
    ],
  });
});

test('[finding X4] threads begun here come back as threads', () => {
  const thread = {
    id: 'c',
    regions: [[0, 0, 0, 0] as const],
    entries: [
      { id: '1', author: 'u', at: 1000, text: 'one' },
      { id: '2', author: 'v', at: 2000, text: 'two' },
    ],
    resolved: true as const,
  };
  const document = documentOf(putMark.of({ sheet: 'one', list: 'comments', mark: thread }));
  const at = new Date(0);
  const bytes = writeXlsx(document, { at });
  expect(writeXlsx(document, { at })).toEqual(bytes);
  const again = readTestWorkbook(bytes).document.subSheets[0]!;
  expect(again.comments).toMatchObject([
    {
      regions: [[0, 0, 0, 0]],
      resolved: true,
      entries: [
        { author: 'u', at: 1000, text: 'one' },
        { author: 'v', at: 2000, text: 'two' },
      ],
    },
  ]);
  expect(again.comments[0]!.note).toBeUndefined();
});
