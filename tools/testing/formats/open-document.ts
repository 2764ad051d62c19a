import { zip, type Parts } from './ooxml.ts';

const namespaces = 'office text table draw presentation style dc meta xlink svg'
  .split(' ')
  .map((name) => `xmlns:${name}="urn:${name}"`)
  .join(' ');

/** Builds an OpenDocument file of the given kind with this body content. `more` are further files of the archive. */
export function openDocument(
  kind: 'text' | 'presentation' | 'spreadsheet',
  body: string,
  more: Parts = {},
): Uint8Array {
  return zip({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'META-INF/manifest.xml': '<manifest/>',
    'content.xml':
      `<?xml version="1.0" encoding="UTF-8"?><office:document-content ${namespaces}><office:body>` +
      `<office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    'meta.xml': `<office:document-meta ${namespaces}><office:meta><dc:title>季度报告</dc:title><dc:creator>李雷</dc:creator></office:meta></office:document-meta>`,
    ...more,
  });
}

export const odt = (): Uint8Array =>
  openDocument(
    'text',
    '<text:h text:outline-level="2">Second part</text:h><text:p>Plain<text:s/>words<text:tab/>&amp; <text:a ' +
      'xlink:href="https://example.com/a">more</text:a>.<text:note><text:note-citation>1</text:note-citation><text:note-body>' +
      '<text:p>脚注内容</text:p></text:note-body></text:note></text:p>' +
      '<table:table><table:table-row><table:table-cell><text:p>姓名</text:p></table:table-cell><table:table-cell>' +
      '<text:p>城市</text:p></table:table-cell></table:table-row></table:table>',
    {
      'styles.xml': `<x ${namespaces}><style:footer><text:p>Confidential</text:p></style:footer></x>`,
    },
  );

export const odp = (): Uint8Array =>
  openDocument(
    'presentation',
    '<presentation:footer-decl>Footer words</presentation:footer-decl>' +
      '<draw:page><draw:frame presentation:class="title"><draw:text-box><text:p>路线图</text:p></draw:text-box></draw:frame>' +
      '<draw:frame><draw:text-box><text:p>First line</text:p></draw:text-box></draw:frame>' +
      '<presentation:notes><draw:frame><draw:text-box><text:p>讲者备注</text:p></draw:text-box></draw:frame></presentation:notes></draw:page>' +
      '<draw:page><draw:frame><draw:text-box><text:p>Second slide</text:p></draw:text-box></draw:frame></draw:page>',
  );

export const ods = (): Uint8Array =>
  openDocument(
    'spreadsheet',
    '<table:table table:name="销售"><table:table-row><table:table-cell><text:p>城市</text:p></table:table-cell>' +
      '<table:table-cell table:number-columns-repeated="2"/><table:table-cell><text:p>42.5</text:p></table:table-cell>' +
      '<table:table-cell table:number-columns-repeated="16000"/></table:table-row>' +
      '<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>' +
      '</table:table>',
  );

export const epub = (): Uint8Array =>
  zip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
    'OEBPS/book.opf':
      '<package xmlns:dc="urn:dc"><metadata><dc:title>The Book</dc:title><dc:creator>An Author</dc:creator></metadata><manifest>' +
      '<item id="toc" href="toc.xhtml" media-type="application/xhtml+xml" properties="nav"/>' +
      '<item id="two" href="text/two.xhtml" media-type="application/xhtml+xml"/>' +
      '<item id="one" href="text/one.xhtml" media-type="application/xhtml+xml"/></manifest>' +
      '<spine><itemref idref="toc"/><itemref idref="one"/><itemref idref="two"/></spine></package>',
    'OEBPS/toc.xhtml': '<html><body><p>Contents page</p></body></html>',
    'OEBPS/text/one.xhtml':
      '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://example.com/x.dtd">' +
      '<html><head><title/></head><body><h1>Chapter one</h1><p>It began.</p></body></html>',
    'OEBPS/text/two.xhtml': '<html><body><h1>第二章</h1><p>It ended.</p></body></html>',
  });

export const svg = (text = 'Drawn words'): Uint8Array =>
  new TextEncoder().encode(
    '<?xml version="1.0"?><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd" [<!ENTITY a "expanded">]>' +
      '<svg xmlns="http://www.w3.org/2000/svg"><title>Plan</title><style>.a{}</style><script>run()</script>' +
      `<text><tspan x="1">${text}</tspan><tspan x="1">&a; twice</tspan></text></svg>`,
  );

export const rtf = (): Uint8Array =>
  new TextEncoder().encode(
    "{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0\\fnil Arial;}{\\f1\\fnil\\fcharset134 SimSun;}}{\\info{\\title Annual \\'e9t\\'e9}" +
      "{\\author Li Lei}}{\\*\\generator Riched20;}\\pard Caf\\'e9 \\u30693?\\u-10179?\\u-8704? here{\\footnote A note}.\\par\n" +
      "{\\f1 \\'d6\\'aa\\'ca\\'b6}\\line next {\\v hidden}{\\field{\\*\\fldinst HYPERLINK \"http://a\"}{\\fldrslt link}}\\par " +
      '\\trowd one\\cell two\\cell\\row {\\*\\unknown secret}{\\pict 0102}end}',
  );
