import { cellName } from '../cell-geometry.ts';

const reference =
  /"(?:[^"]|"")*"|(?<![\w.!'])((?:'(?:[^']|'')+'|[\p{L}_][\p{L}\p{N}_.]*)!)?R(\[-?\d+\]|\d+)?C(\[-?\d+\]|\d+)?(?![\w(])/gu;

/**
 * Converts a formula with relative references (`R[-1]C[0]`) to A1 notation for a cell. Returns undefined if a reference
 * is outside the sheet.
 */
export function toA1Formula(formula: string, row: number, col: number): string | undefined {
  let isInside = true;
  const written = formula.replaceAll(reference, (whole, sheet?: string, down?: string, right?: string) => {
    if (whole.startsWith('"')) return whole;
    const r = parseAxisReference(down, row);
    const c = parseAxisReference(right, col);
    if (r.at < 0 || c.at < 0) {
      isInside = false;
      return whole;
    }
    const [, letters, digits] = /^([A-Z]+)(\d+)$/.exec(cellName(r.at, c.at))!;
    return `${sheet ?? ''}${c.isFixed ? '$' : ''}${letters!}${r.isFixed ? '$' : ''}${digits!}`;
  });
  return isInside ? written : undefined;
}

function parseAxisReference(written: string | undefined, here: number): { at: number; isFixed: boolean } {
  if (written === undefined) return { at: here, isFixed: false };
  return written.startsWith('[')
    ? { at: here + Number(written.slice(1, -1)), isFixed: false }
    : { at: Number(written) - 1, isFixed: true };
}
