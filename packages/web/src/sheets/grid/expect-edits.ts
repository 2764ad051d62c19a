import { typedCells } from '../kept-calls.ts';
import type { SheetSession } from '../session.ts';
import type { GridModel } from './model.ts';

/** Adds the unconfirmed edits to a new model, so that they are shown. */
export function expectWaiting(session: SheetSession, model: GridModel): void {
  for (const { id, call } of session.outbox.waiting) model.expect(id, typedCells(call));
}

/** Shows edits in the current model before the server confirms them. Returns a function that stops it. */
export function expectEdits(session: SheetSession, model: () => GridModel): () => void {
  return session.outbox.listen((event) => {
    const { id, call } = event.entry;
    switch (event.kind) {
      case 'added':
        return model().expect(id, typedCells(call));
      case 'dropped':
        return model().drop(id);
      case 'sent':
        // Without a version in the response no event will report the change.
        if (event.answer.version === undefined) model().refresh();
        return model().confirm(id);
    }
  });
}
