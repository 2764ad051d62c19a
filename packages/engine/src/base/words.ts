/** The tuple type of the words in a text that are separated by single spaces. */
export type Words<S extends string> = S extends `${infer H} ${infer T}` ? [H, ...Words<T>] : S extends '' ? [] : [S];

/** Splits a text into its words and keeps their literal types: a list of names on one line. */
export function words<S extends string>(text: S): Readonly<Words<S>> {
  return (text === '' ? [] : text.split(' ')) as unknown as Words<S>;
}
