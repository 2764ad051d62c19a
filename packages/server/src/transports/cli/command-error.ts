/** Something the person at the terminal can mend: printed as one line, exit code 2. */
export class CommandError extends Error {}
