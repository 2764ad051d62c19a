import { execFileSync } from 'node:child_process';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

/** A class derived from String slows down every text of the process: building formulas took half as long again. */
test('loading the engine leaves String.prototype as quick as it was [finding A6]', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `import '@sheaf/engine';
        console.log(%HasFastProperties(String.prototype), %HasFastProperties(Array.prototype));`.replaceAll(
        /%(\w+)\(/g,
        "new Function('value', 'return %$1(value)')(",
      ),
      resolveDir: process.cwd(),
      loader: 'ts',
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
  });
  const program = outputFiles[0]!.text;
  const said = execFileSync(process.execPath, ['--allow-natives-syntax', '--input-type=module', '-'], {
    input: program,
    encoding: 'utf8',
  });
  expect(said).toBe('true true\n');
});
