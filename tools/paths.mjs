import { fileURLToPath } from 'node:url';

/** The root of the package, wherever the command is run from. */
export const root = fileURLToPath(new URL('..', import.meta.url));
