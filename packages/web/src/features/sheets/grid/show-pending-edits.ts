import { cellsOfCall } from '../pending-calls.ts';
import type { SheetSession } from '../sheet-session.ts';
import type { GridModel } from './grid-model.ts';

/**
 * Displays all unconfirmed edits of the session in a newly created model, which otherwise contains only the server's
 * cells.
 */
export function addPendingEdits(session: SheetSession, model: GridModel): void {
  for (const { id, call } of session.outbox.pending) model.addOptimistic(id, cellsOfCall(call));
}

/**
 * Displays the user's edits in the current model when they are queued, confirmed or discarded. Returns a function that
 * stops this.
 */
export function showPendingEdits(session: SheetSession, model: () => GridModel): () => void {
  return session.outbox.listen((event) => {
    const { id, call } = event.entry;
    switch (event.kind) {
      case 'added':
        return model().addOptimistic(id, cellsOfCall(call));
      case 'dropped':
        return model().dropOptimistic(id);
      case 'sent':
        // If the response contains the document's new version, a change event follows, after which the model reloads.
        // Without a new version there is no such event, so reload now.
        if (event.answer.version === undefined) model().refresh();
        return model().confirmOptimistic(id);
    }
  });
}
