/** Thrown if an import cannot start or continue. The message is shown to the user. */
export class ImportError extends Error {}
