// Makes a built script pure ASCII: V8 then keeps it at one byte a character, and it is read without decoding.
import { readFileSync, writeFileSync } from 'node:fs';
import { transform } from 'esbuild';

const beyondAscii = /[^\0-\x7f]/g;

/**
 * esbuild escapes what it prints, except for patterns, comments and tagged templates. In the first two an escape means
 * the same as the character; in a tagged template it does not (its `raw` would change), so a script that has one stays
 * as it is: the loader then decodes it.
 */
export async function toAscii(file) {
  const text = readFileSync(file, 'utf8');
  // Without templates esbuild escapes theirs too: what is left beyond ASCII stands in patterns and comments.
  const { code } = await transform(text, { loader: 'js', supported: { 'template-literal': false }, logLevel: 'error' });
  if (count(code) !== count(text)) {
    process.stderr.write(
      `sheaf: ${file} keeps characters beyond ASCII in a tagged template; it starts slower for it\n`,
    );
    return;
  }
  // By UTF-16 units: patterns without the flag u know no other escape.
  writeFileSync(
    file,
    text.replace(beyondAscii, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

function count(text) {
  return text.match(beyondAscii)?.length ?? 0;
}
