export const isBrowserLeftOut: boolean;

export function findChromium(): string | undefined;

export function requireChromium(): string;
