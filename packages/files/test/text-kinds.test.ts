import { describe, expect, it } from 'vitest';
import { decode } from '../src/index.ts';
import { concat, utf16, utf8 } from '@sheaf/tools/testing/formats/bytes.ts';

/** Encoders for charsets Node only decodes: every two-byte code is decoded once and looked up backwards. */
function encoder(label: string): (text: string) => Uint8Array {
  const decoder = new TextDecoder(label, { fatal: true });
  const codes = new Map<string, number[]>();
  for (let lead = 0x81; lead <= 0xfe; lead++) {
    for (let trail = 0x40; trail <= 0xfe; trail++) {
      try {
        const text = decoder.decode(Uint8Array.of(lead, trail));
        if (text.length === 1 && !codes.has(text)) codes.set(text, [lead, trail]);
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
      }
    }
  }
  return (text) =>
    Uint8Array.from([...text].flatMap((char) => (char.charCodeAt(0) < 0x80 ? [char.charCodeAt(0)] : codes.get(char)!)));
}

const simplified =
  '知识库是一个可以保存文件、网页和笔记的地方，所有的内容都可以被搜索到。\n第二行：我们在这里测试编码的识别。';
const traditional =
  '知識庫是一個可以保存文件、網頁和筆記的地方，所有的內容都可以被搜尋到。\n第二行：我們在這裡測試編碼的識別。';
const japanese =
  'これは日本語の文章です。ファイルの文字コードを調べるためのテキストです。\nひらがなとカタカナが混ざっています。';
const korean = '이것은 한국어 문장입니다. 파일의 문자 인코딩을 확인하기 위한 텍스트입니다.\n둘째 줄도 있습니다.';
const russian =
  'Это русский текст для проверки кодировки файла. Здесь несколько предложений, чтобы статистика была достаточной.';

const cyrillic = (text: string): Uint8Array =>
  Uint8Array.from(
    [...text].map((char) => {
      const code = char.charCodeAt(0);
      return code < 0x80 ? code : code - 0x410 + 0xc0;
    }),
  );

describe('text in any charset', () => {
  it.each([
    ['UTF-8', 'utf-8', simplified, utf8(simplified)],
    ['UTF-8 with a mark', 'utf-8', simplified, concat(Uint8Array.of(0xef, 0xbb, 0xbf), utf8(simplified))],
    ['UTF-16LE with a mark', 'utf-16le', simplified, concat(Uint8Array.of(0xff, 0xfe), utf16(simplified))],
    [
      'UTF-16BE with a mark',
      'utf-16be',
      simplified,
      concat(Uint8Array.of(0xfe, 0xff), new Uint8Array(Buffer.from(utf16(simplified)).swap16())),
    ],
    ['UTF-16LE without a mark', 'utf-16le', 'plain words, 文件\n', utf16('plain words, 文件\n')],
    ['GBK', 'gb18030', simplified, encoder('gbk')(simplified)],
    ['GBK, four characters', 'gb18030', '测试文件', encoder('gbk')('测试文件')],
    ['Big5', 'big5', traditional, encoder('big5')(traditional)],
    ['Shift-JIS', 'shift_jis', japanese, encoder('shift_jis')(japanese)],
    ['EUC-JP', 'euc-jp', japanese, encoder('euc-jp')(japanese)],
    ['EUC-KR', 'euc-kr', korean, encoder('euc-kr')(korean)],
    ['windows-1251', 'windows-1251', russian, cyrillic(russian)],
  ])('%s', async (_name, charset, text, bytes) => {
    const decoded = await decode(bytes, { kind: 'text' });
    expect(decoded.meta.charset).toBe(charset);
    expect(decoded.text).toBe(text.trimEnd());
  });

  it('believes a declared charset only when the bytes bear it out', async () => {
    expect((await decode(utf8('只有中文'), { kind: 'text', charset: 'gbk' })).text).not.toBe('');
    expect((await decode(encoder('gbk')('短'), { kind: 'text', charset: 'gb2312' })).text).toBe('短');
    expect((await decode(utf8('é'), { kind: 'text', charset: 'iso-8859-1' })).text).toBe('é');
    expect((await decode(encoder('gbk')(simplified), { kind: 'text', charset: 'utf-8' })).text).toBe(simplified);
  });

  it('removes what no database stores and keeps line ends as one form', async () => {
    expect((await decode(utf8('a\0b\r\nc\rd\u2028e'), { kind: 'text' })).text).toBe('a b\nc\nd\ne');
  });

  it('refuses binary', async () => {
    await expect(
      decode(
        Uint8Array.from({ length: 400 }, (_, index) => index % 9),
        { kind: 'text' },
      ),
    ).rejects.toMatchObject({ word: 'unsupported' });
  });

  it('refuses more text than the limit', async () => {
    await expect(decode(utf8('x'.repeat(101)), { kind: 'text', limits: { maxTextChars: 100 } })).rejects.toMatchObject({
      word: 'too_large',
      message: expect.stringContaining('100 characters'),
    });
  });
});

describe('csv', () => {
  it('reads quotes, doubled quotes, line breaks in fields and a semicolon dialect', async () => {
    expect((await decode(utf8('名称,说明\r\n"a,b","say ""hi""\nthere"\n\nlast,'), { kind: 'csv' })).text).toBe(
      '名称\t说明\na,b\tsay "hi" there\nlast',
    );
    expect((await decode(utf8('a;b;c\n1,5;2;3'), { kind: 'csv' })).text).toBe('a\tb\tc\n1,5\t2\t3');
  });
});

describe('markdown', () => {
  it('gives text without marks, headings with offsets, title', async () => {
    const source =
      '---\ntitle: "From the front"\ntags: [a]\n---\n# 标题 *one*\n\n' +
      'Some **bold** and `code` with [a link](http://x).\n\n- item 1\n  - nested\n- item 2\n\n| a | b |\n' +
      '|---|---|\n| 1 | 2 |\n\n> quoted\n\n```js\nlet x = 1;\n```\n\n## 第二节\n\n<div>html &amp; block</div>' +
      '\n\nlast';
    expect(await decode(utf8(source), { kind: 'markdown' })).toEqual({
      title: 'From the front',
      text: '标题 one\n\nSome bold and code with a link (http://x).\nitem 1\nnested\nitem 2\na\tb\n1\t2\n\nquoted\n\nlet x = 1;\n\n第二节\nhtml & block\n\nlast',
      headings: [
        { level: 1, text: '标题 one', offset: 0 },
        { level: 2, text: '第二节', offset: 101 },
      ],
      meta: { format: 'markdown', charset: 'utf-8' },
    });
  });

  it('takes the first heading as title and survives nesting past the lexer', async () => {
    expect((await decode(utf8('text\n\n## 只有二级\n'), { kind: 'markdown' })).title).toBe('只有二级');
    const deep = `${'> '.repeat(20_000)}needle`;
    expect((await decode(utf8(deep), { kind: 'markdown' })).text).toContain('needle');
  });
});

describe('html', () => {
  const filler = '<p>这是一篇关于知识库的长文章，正文需要足够长，阅读模式才会把它当作正文。'.repeat(6) + '</p>';

  it.each([
    ['<div role="navigation"><a>menu</a></div><p>words</p>', 'words'],
    ['<ul id="main-menu" class="x"><li><a href="/a">menu</a></li><li><a>two</a></li></ul><p>words</p>', 'words'],
    [
      '<div class="menu"><h2>Today</h2><p>Soup of the day and a dessert</p></div>',
      'Today\nSoup of the day and a dessert',
    ],
    ['<nav><p>all there is</p></nav>', 'all there is'],
  ])('[finding F8] leaves out what only leads elsewhere: %s', async (html, text) => {
    expect((await decode(utf8(html), { kind: 'html' })).text).toBe(text);
  });

  it('[finding F8] reads an uploaded page: headings, blocks, tables; not its navigation and scripts', async () => {
    const html =
      '<html><head><title>Page &amp; title</title><style>p{}</style></head><body><nav>menu</nav><h1>标题 <b>' +
      '一</b></h1><p>one<br>two</p><script>evil()</script><table><tr><td>a</td><td>b</td></tr></table><h2>' +
      '二</h2><ul><li>x</li><li>y</li></ul></body></html>';
    expect(await decode(utf8(html), { kind: 'html' })).toEqual({
      title: 'Page & title',
      text: '标题 一\none\ntwo\na\tb\n\n二\nx\ny',
      headings: [
        { level: 1, text: '标题 一', offset: 0 },
        { level: 2, text: '二', offset: 18 },
      ],
      meta: { format: 'html', charset: 'utf-8' },
    });
  });

  it('reads a fragment and a page in a declared charset', async () => {
    expect((await decode(utf8('just <b>words</b>'), { kind: 'html' })).text).toBe('just words');
    const page = encoder('gbk')(
      '<html><head><meta http-equiv="Content-Type" content="text/html; charset=gb2312"></head><body>中</body></html>',
    );
    expect((await decode(page, { kind: 'html' })).text).toBe('中');
  });

  it('takes the readable part and the metadata of an article', async () => {
    const html =
      '<html><head><title>Shop - Article</title><meta property="og:title" content="真正的标题">' +
      '<meta name="author" content="王芳">' +
      '<meta property="article:published_time" content="2026-02-03T04:05:06+08:00">' +
      '<meta property="og:image" content="/cover.png"><meta property="og:site_name" content="站点">' +
      '<meta name="description" content="摘要"></head><body><nav><a href="/">home</a> <a href="/b">buy</a>' +
      `</nav><article><h2>小节</h2>${filler}${filler}</article><footer>copyright</footer></body></html>`;
    const decoded = await decode(utf8(html), { kind: 'html', article: true, url: 'https://example.org/a/b.html' });
    expect(decoded.title).toBe('真正的标题');
    expect(decoded.meta).toEqual({
      format: 'html',
      charset: 'utf-8',
      author: '王芳',
      siteName: '站点',
      description: '摘要',
      publishedAt: '2026-02-02T20:05:06.000Z',
      cover: 'https://example.org/cover.png',
    });
    expect(decoded.headings).toEqual([{ level: 2, text: '小节', offset: 0 }]);
    expect(decoded.text).toContain('阅读模式');
    expect(decoded.text).not.toContain('copyright');
    expect(decoded.text).not.toContain('home');
  });

  it('reads an official-account article though its body is hidden until a script runs', async () => {
    const html =
      '<html><head><meta property="og:image" content="http://img.example/c.jpg"></head><body>' +
      '<h1 id="activity-name"> 公众号文章 </h1><a id="js_name"> 某号 </a>' +
      '<div id="js_content" style="visibility: hidden; opacity: 0"><section><p>正文第一段</p></section></div>' +
      '<script>var ct = "1700000000"; var msg_cdn_url = "http://img.example/other.jpg";</script></body>' +
      '</html>';
    expect(await decode(utf8(html), { kind: 'html', article: true, url: 'https://mp.weixin.qq.com/s/x' })).toEqual({
      title: '公众号文章',
      text: '正文第一段',
      headings: [],
      meta: {
        format: 'html',
        charset: 'utf-8',
        siteName: '某号',
        publishedAt: '2023-11-14T22:13:20.000Z',
        cover: 'http://img.example/c.jpg',
      },
    });
  });

  it('reads JSON-LD and never passes on a cover that is no web address', async () => {
    const html =
      '<html><head><script type="application/ld+json">' +
      '{"@graph":[{"@type":"NewsArticle","headline":"LD title","author":[{"name":"Ann"}],' +
      '"datePublished":"2025-01-01","image":"javascript:alert(1)"}]}</script></head><body>x</body></html>';
    const decoded = await decode(utf8(html), { kind: 'html', article: true, url: 'https://example.org/' });
    expect(decoded.title).toBe('LD title');
    expect(decoded.meta).toEqual({
      format: 'html',
      charset: 'utf-8',
      author: 'Ann',
      publishedAt: '2025-01-01T00:00:00.000Z',
    });
  });

  it('survives nesting past any stack', async () => {
    const html = `${'<div>'.repeat(5_000)}needle`;
    expect((await decode(utf8(html), { kind: 'html', article: true })).text).toBe('needle');
  });
});
