/** Returns the edit distance with insertion, deletion, substitution and transposition of adjacent letters. */
export function editDistance(one: string, other: string): number {
  let before: number[] = [];
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const line = [row];
    for (let col = 1; col <= other.length; col++) {
      const same = one[row - 1] === other[col - 1] ? 0 : 1;
      const isExchanged = row > 1 && col > 1 && one[row - 1] === other[col - 2] && one[row - 2] === other[col - 1];
      const exchanged = isExchanged ? before[col - 2]! + 1 : Infinity;
      line.push(Math.min(line[col - 1]! + 1, above[col]! + 1, above[col - 1]! + same, exchanged));
    }
    before = above;
    above = line;
  }
  return above.at(-1)!;
}
