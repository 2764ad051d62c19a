import { fail } from '../../../kernel/errors.ts';
import {
  isValid,
  rectOf,
  regionsWithin,
  describeRequirement,
  type SheetDocument,
  validationAt,
} from '@sheaf/engine/internal/document';
import { cellName, charge, type RecalcOptions } from '@sheaf/engine';
import { touches, type Mutation } from '@sheaf/engine/internal/mutations';

/**
 * Throws if data validation does not allow a value that the mutations wrote. Called after the edit. Rules that only
 * warn or show no error are ignored.
 */
export function refuseInvalidValues(
  document: SheetDocument,
  mutations: readonly Mutation[],
  options: RecalcOptions,
): void {
  if (document.subSheets.every((sub) => sub.validations.length === 0)) return;
  for (const mutation of mutations) {
    for (const { sheet, rect, writesContents } of touches(document, mutation)) {
      const sub = sheet === undefined || !writesContents ? undefined : document.find(sheet);
      if (!sub || !rect) continue;
      for (const rule of sub.validations) {
        if (rule.error?.style !== undefined || rule.error?.silent) continue;
        for (const region of regionsWithin(rule.regions, rect)) {
          const { top, left, bottom, right } = rectOf(region);
          for (let row = top; row <= bottom; row++) {
            for (let col = left; col <= right; col++) {
              charge(50);
              if (validationAt(sub, row, col) !== rule || isValid(document, sub, rule, row, col, options)) continue;
              const said = rule.error?.text ? `: ${rule.error.text}` : '';
              throw fail(
                'conflict',
                `${sub.name}!${cellName(row, col)} does not allow this value; ` +
                  `it ${describeRequirement(document, sub, rule, row, col, options)}${said}`,
              );
            }
          }
        }
      }
    }
  }
}
