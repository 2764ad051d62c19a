import { expect, test } from 'vitest';
import { newSheetId } from '../../../../src/modules/sheet/objects/sheet-id.ts';

test('a new id of a sub-sheet is never an address: read takes either', () => {
  const ids = Array.from({ length: 20_000 }, newSheetId);
  expect(ids.filter((id) => /^[a-z]+[0-9]+$/i.test(id) && id.replace(/\d/g, '').length <= 3)).toEqual([]);
});
