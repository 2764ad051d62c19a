import { expect, test } from 'vitest';
import { decode } from '../src/index.ts';
import { utf8 } from '@sheaf/tools/testing/formats/bytes.ts';

const textOf = async (html: string, article = false): Promise<string> =>
  (await decode(utf8(html), { kind: 'html', article })).text.trim();

test.each([
  ['<html lang=en><meta charset=utf-8><title>t</title><body><p>ocelot', 'ocelot'],
  ['<html>text</html>', 'text'],
  ['<html><script>var a = "<p>no</p>";</script><body>words</body></html>', 'words'],
  ['<!doctype html><script>1</script><body>words', 'words'],
  ['<!doctype html><title>t</title><p>ocelot', 'ocelot'],
  [
    '<!doctype html>\n<html>\n<head>\n<title>t</title>\n<p>in the head</p>\n</head>\n<body><p>in the body',
    'in the head\nin the body',
  ],
  ['<head><title>t</title></head>words', 'words'],
  ['<html><head></head>words<body>more</body></html>', 'wordsmore'],
  ['<body><p>one</body></html>two', 'one\ntwo'],
  ['one</body></html>two', 'onetwo'],
  ['<html><body>one</body></html><html><body>two</body></html>', 'onetwo'],
  ['<!-- <html> --><p>ocelot', 'ocelot'],
  ['<script>"<html>"</script>ocelot', 'ocelot'],
  ['<HTML><HEAD><TITLE>t</TITLE><BODY BGCOLOR=white>ocelot', 'ocelot'],
  ['<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><p>ocelot</p></body></html>', 'ocelot'],
  ['<html><style>p{}</style><link rel=x><meta name=a><template>no</template>ocelot', 'ocelot'],
  ['<p>one<svg><text>no</text><p>two', 'one\ntwo'],
  ['<p>one <svg><title>no</title><text>no</text></svg>two', 'one two'],
  ['<p>one <math><mi>x</mi></math>two', 'one two'],
  ['<frameset><frame src=a><noframes>ocelot</noframes></frameset>', 'ocelot'],
  ['<table><tr><td>a<td>b<tr><td>c', 'a\tb\nc'],
  ['<p>a<title>no</title>b', 'ab'],
  ['just text & more', 'just text & more'],
])('[finding F1] %s', async (html, expected) => {
  expect(await textOf(html)).toBe(expected);
});

test('[finding F1] the readable part of a fetched page is found without its optional tags, and its title and language with it', async () => {
  const words =
    'A sentence about the ocelot, which is a cat of the Americas, with commas, long enough to be read. '.repeat(10);
  const html = `<html lang=en><meta charset=utf-8><title>Ocelots</title><nav><a href=/>Home</a></nav><article><h1>Ocelots</h1><p>${words}<p>${words}</article>`;
  const decoded = await decode(utf8(html), { kind: 'html', article: true });
  expect(decoded.title).toBe('Ocelots');
  expect(decoded.text).toContain('cat of the Americas');
  expect(decoded.text).not.toContain('Home');
});
