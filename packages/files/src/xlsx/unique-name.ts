/** The first name that is not taken: the wanted one, or the wanted one with a number from 2. */
export function uniqueName(nameOf: (number: number) => string, isTaken: (name: string) => boolean): string {
  for (let number = 1; ; number++) if (!isTaken(nameOf(number))) return nameOf(number);
}

/** Like `uniqueName`, among names that are compared without case; the name found is taken then. */
export function claimName(taken: Set<string>, nameOf: (number: number) => string): string {
  const name = uniqueName(nameOf, (one) => taken.has(one.toUpperCase()));
  taken.add(name.toUpperCase());
  return name;
}
