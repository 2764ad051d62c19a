import { cellsOfCall } from '../pending-calls.ts';
import type { SheetSession } from '../sheet-session.ts';
import type { GridModel } from './grid-model.ts';

/** Adds the unconfirmed edits to a new model, so that they are shown. */
export function addPendingEdits(session: SheetSession, model: GridModel): void {
  for (const { id, call } of session.outbox.pending) model.addOptimistic(id, cellsOfCall(call));
}

/** Shows edits in the current model before the server confirms them. Returns a function that stops it. */
export function showPendingEdits(session: SheetSession, model: () => GridModel): () => void {
  return session.outbox.listen((event) => {
    const { id, call } = event.entry;
    switch (event.kind) {
      case 'added':
        return model().addOptimistic(id, cellsOfCall(call));
      case 'dropped':
        return model().dropOptimistic(id);
      case 'sent':
        // Without a version in the response no event will report the change.
        if (event.answer.version === undefined) model().refresh();
        return model().confirmOptimistic(id);
    }
  });
}
