import { fail } from '../../operation/errors.ts';
import type { SheetDocument } from '../engine/document.ts';
import { edit } from '../engine/edit.ts';
import type { Mutation } from '../engine/mutations/mutation.ts';
import { editNamingCells } from './formula-place.ts';
import { areIdle } from './idle.ts';
import { refuseProtected } from '../protection/refuse-protected.ts';
import { refuseSpreading, spreadOf } from '../protection/spreading.ts';
import type { ToolCall } from './tool.ts';

/** Together the steps may take as long as about two calls; the thread's watchdog is far behind. */
const patienceMs = 4_000;

/**
 * Runs steps one after the other, each seeing what the earlier ones did and held against the protections it finds, and
 * takes all of them back. What comes out is applied as one edit, exactly as replay will apply it.
 */
export function rehearse(document: SheetDocument, call: ToolCall, steps: readonly ((index: number) => readonly Mutation[])[]): Mutation[] {
  const started = performance.now();
  const planned: Mutation[] = [];
  const undo: (readonly Mutation[])[] = [];
  const clock = document.clock;
  try {
    steps.forEach((step, index) => {
      const mutations = step(index);
      refuseProtected(document, mutations, call);
      if (areIdle(document, mutations)) return;
      const spread = spreadOf(document, call);
      undo.push(editNamingCells(document, mutations, call.calculation).inverse);
      if (spread) refuseSpreading(document, spread, call, mutations);
      planned.push(...mutations);
      if (performance.now() - started > patienceMs) throw fail('busy', `the first ${index + 1} of ${steps.length} steps took too long; nothing was changed`);
    });
    return planned;
  } finally {
    for (const inverse of undo.toReversed()) edit(document, inverse, clock);
  }
}
