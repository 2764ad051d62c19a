/** Entry for the packages of this project: documents, and the storage under them. */
export * from './document.ts';
export * from './storage.ts';
