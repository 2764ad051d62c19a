import { typedCells } from '../kept-calls.ts';
import type { SheetSession } from '../session.ts';
import type { GridModel } from './model.ts';

/** What was typed and is not confirmed shows in a model that is new. */
export function expectWaiting(session: SheetSession, model: GridModel): void {
  for (const { id, call } of session.outbox.waiting) model.expect(id, typedCells(call));
}

/** What is typed shows at once, in whichever model is there by then. Answers how to stop. */
export function expectEdits(session: SheetSession, model: () => GridModel): () => void {
  return session.outbox.listen((event) => {
    const { id, call } = event.entry;
    switch (event.kind) {
      case 'added':
        return model().expect(id, typedCells(call));
      case 'dropped':
        return model().drop(id);
      case 'sent':
        // Without a version nobody tells that something changed, if anything did.
        if (event.answer.version === undefined) model().refresh();
        return model().confirm(id);
    }
  });
}
