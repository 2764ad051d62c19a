/** An error that the user can fix. It is printed as one line, and the exit code is 2. */
export class CommandError extends Error {}
