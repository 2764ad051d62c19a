import { type SheetDocument, rollBackEdit } from '@sheaf/engine/internal/document';
import { areNoOps, type Mutation } from '@sheaf/engine/internal/mutations';
import { applyEdit } from './apply-edit.ts';
import { RevisionSize } from './revision-size.ts';
import { refusePivotOutput } from '../protection/refuse-pivot-output.ts';
import { refuseProtected } from '../protection/refuse-protected.ts';
import { refuseSpillIntoProtected, captureSpills } from '../protection/spill-protection.ts';
import type { ToolCall } from './tool.ts';

/**
 * Applies the steps of a call one after the other, so that each step sees the result of those before it. Checks each
 * step against protected ranges and pivot table outputs, and finally rolls all steps back. Returns the mutations of all
 * steps, which the caller applies as one edit.
 */
export function dryRunSteps(
  document: SheetDocument,
  call: ToolCall,
  steps: readonly ((index: number) => readonly Mutation[])[],
): Mutation[] {
  const planned: Mutation[] = [];
  const undo: (readonly Mutation[])[] = [];
  const clock = document.clock;
  const size = new RevisionSize();
  try {
    steps.forEach((step, index) => {
      const mutations = step(index);
      size.add(mutations);
      refuseProtected(document, mutations, call);
      refusePivotOutput(document, mutations);
      if (areNoOps(document, mutations)) return;
      const spread = captureSpills(document, call);
      undo.push(applyEdit(document, mutations, call.calculation).inverse);
      if (spread) refuseSpillIntoProtected(document, spread, call, mutations);
      planned.push(...mutations);
    });
    return planned;
  } finally {
    if (undo.length > 0) rollBackEdit(document, undo.toReversed().flat(), clock);
  }
}
