/** Tuple type of the words of a literal text, separated by single spaces. */
export type SplitLiteral<S extends string> = S extends `${infer H} ${infer T}`
  ? [H, ...SplitLiteral<T>]
  : S extends ''
    ? []
    : [S];

/**
 * Splits a literal text at spaces. The result type keeps each word as a literal type, so that a long list of names can
 * be written as one text.
 */
export function splitLiteral<S extends string>(text: S): Readonly<SplitLiteral<S>> {
  return (text === '' ? [] : text.split(' ')) as unknown as SplitLiteral<S>;
}
