/** Entry for the other packages of this project: documents, and the cell storage under them. */
export * from './document.ts';
export * from './storage.ts';
