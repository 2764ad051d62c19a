/** Returns the first free name among `nameOf(1)`, `nameOf(2)` and so on. */
export function uniqueName(nameOf: (number: number) => string, isTaken: (name: string) => boolean): string {
  for (let number = 1; ; number++) if (!isTaken(nameOf(number))) return nameOf(number);
}

/** Returns the first free name, ignoring case, and reserves it in `taken`. */
export function claimName(taken: Set<string>, nameOf: (number: number) => string): string {
  const name = uniqueName(nameOf, (one) => taken.has(one.toUpperCase()));
  taken.add(name.toUpperCase());
  return name;
}
