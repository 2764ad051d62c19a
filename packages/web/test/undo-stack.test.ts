import { expect, test } from 'vitest';
import { SheafError } from '../src/lib/api-client.ts';
import { errorCodes } from '../src/lib/error-codes.ts';
import { UndoConflict, UndoStack } from '../src/features/sheets/undo-stack.ts';

const selection = { active: { row: 0, col: 0 }, range: { top: 0, left: 0, bottom: 0, right: 0 }, others: [] };

function recorded(): { undo: UndoStack; calls: string[] } {
  const calls: string[] = [];
  let newest = 10;
  const undo = new UndoStack({
    revert: async (version) => (calls.push(`revert ${version}`), { version: ++newest }),
    undoRevision: async (version) => (calls.push(`undo ${version}`), { version: ++newest }),
    newestOfOthers: () => 0,
  });
  return { undo, calls };
}

test('a write is undone on its own, although others of this page followed', async () => {
  const { undo, calls } = recorded();
  undo.push(9, selection, 'a');
  undo.push(10, selection, 'b');
  expect(await undo.undoWrite(9)).toEqual({ selection, tab: 'a' });
  expect(calls).toEqual(['undo 9']);
  // The next undo takes back this one, and the one after it the later write.
  await undo.undo();
  await undo.undo();
  expect(calls).toEqual(['undo 9', 'revert 10', 'revert 9']);
});

test('the newest write is undone as by the undo button, and a write that is undone already is left alone', async () => {
  const { undo, calls } = recorded();
  undo.push(10, selection, 'a');
  await undo.undoWrite(10);
  expect(undo.state.get()).toEqual({ canUndo: false, canRedo: true });
  expect(await undo.undoWrite(10)).toBeUndefined();
  expect(calls).toEqual(['revert 9']);
});

test('a write that the server cannot undo on its own stays, with the later ones', async () => {
  const refused = new SheafError(errorCodes.sheet.conflict, 'did more than change cells', 409, '');
  const undo = new UndoStack({
    revert: async () => ({ version: 11 }),
    undoRevision: () => Promise.reject(refused),
    newestOfOthers: () => 0,
  });
  undo.push(9, selection, 'a');
  undo.push(10, selection, 'a');
  await expect(undo.undoWrite(9)).rejects.toThrow(UndoConflict);
  await undo.undo();
  expect(undo.state.get()).toEqual({ canUndo: true, canRedo: true });
});
