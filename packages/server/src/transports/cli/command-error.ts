/** An error that the user can fix: printed as one line, exit code 2. */
export class CommandError extends Error {}
