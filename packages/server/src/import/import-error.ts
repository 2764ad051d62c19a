/** Why an import cannot begin or go on, for the person who started it. */
export class ImportError extends Error {}
