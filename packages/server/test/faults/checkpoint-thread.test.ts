import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { bundleProgram } from '@sheaf/tools/testing/bundled-process.ts';
import { temporaryFolder } from '@sheaf/tools/testing/temporary-folder.ts';

test.runIf(process.platform === 'linux')(
  '[finding R13] a checkpoint thread that cannot start for want of descriptors is no failed sync; another one starts when there are some',
  { timeout: 120_000 },
  async () => {
    const program = await bundleProgram('packages/server/test/faults/checkpoint-program.ts');
    const child = spawn(
      'sh',
      ['-c', 'ulimit -n 80; exec "$0" "$@"', process.execPath, program.path, await temporaryFolder()],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    expect(JSON.parse(await text(child.stdout))).toEqual({
      code: 'EMFILE',
      without: 700,
      failedWithout: 0,
      failures: [],
      isCheckpointed: true,
      allThere: true,
    });
  },
);
