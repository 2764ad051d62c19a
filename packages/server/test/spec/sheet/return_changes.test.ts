import { expect, test } from 'vitest';
import { sheet as sheetModule } from '../../../src/modules/sheet/index.ts';
import { onSurface } from '@sheaf/tools/testing/test-server.ts';
import { examples } from './examples.ts';

const writing = Object.values(sheetModule.operations)
  .filter((one) => one.effect !== 'read')
  .map((one) => one.name);

onSurface('sheet', 'return_changes', (call, server) => {
  for (const tool of writing) {
    test(`[S16] ${tool} tells what else changed when asked, an empty list when nothing did`, async () => {
      const input = await examples[tool]!(server());
      const { code, msg, data } = await call(tool, { ...input, return_changes: true });
      expect({ code, msg }).toEqual({ code: 0, msg: 'success' });
      expect(data).toHaveProperty('changes');
      expect(Array.isArray(data['changes'])).toBe(true);
    });
  }
});
