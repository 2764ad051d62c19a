/** Why an import cannot start or continue; the message is shown to the user. */
export class ImportError extends Error {}
