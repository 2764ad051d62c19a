// Makes a built script pure ASCII: V8 then stores it with one byte per character and reads it without decoding.
import { readFileSync, writeFileSync } from 'node:fs';
import { transform } from 'esbuild';

const beyondAscii = /[^\0-\x7f]/g;

/**
 * Escapes all non-ASCII characters. esbuild escapes its output except in regular expressions, comments and tagged
 * templates. In a tagged template an escape would change the property `raw`. A script with non-ASCII characters in a
 * tagged template is therefore left unchanged.
 */
export async function toAscii(file) {
  const text = readFileSync(file, 'utf8');
  // With template literals disabled, esbuild escapes the content of tagged templates, too. If this escapes nothing
  // more, the remaining non-ASCII characters are in regular expressions and comments.
  const { code } = await transform(text, { loader: 'js', supported: { 'template-literal': false }, logLevel: 'error' });
  if (count(code) !== count(text)) {
    process.stderr.write(
      `sheaf: ${file} keeps characters beyond ASCII in a tagged template; it starts slower for it\n`,
    );
    return;
  }
  // Escape every UTF-16 code unit separately, because regular expressions without the flag u accept no other form.
  writeFileSync(
    file,
    text.replace(beyondAscii, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

function count(text) {
  return text.match(beyondAscii)?.length ?? 0;
}
