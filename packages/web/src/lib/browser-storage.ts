import { useSyncExternalStore } from 'react';

/** A small setting in the browser's storage. Components can subscribe to it. */
export class Setting<Value extends string> {
  readonly #key: string;
  readonly #listeners = new Set<() => void>();
  #value: Value;

  constructor(key: string, allowed: readonly Value[], initial: Value) {
    this.#key = `sheaf.${key}`;
    const stored = readStorage(this.#key);
    this.#value = allowed.find((value) => value === stored) ?? initial;
  }

  get = (): Value => this.#value;

  set(value: Value): void {
    this.#value = value;
    writeStorage(this.#key, value);
    for (const listener of this.#listeners) listener();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

export function useSetting<Value extends string>(setting: Setting<Value>): Value {
  return useSyncExternalStore(setting.subscribe, setting.get);
}

/** Reads a value from the browser's storage. Returns null if the value is missing or the storage is disabled. */
export function readStorage(key: string, of: 'localStorage' | 'sessionStorage' = 'localStorage'): string | null {
  try {
    return window[of].getItem(key);
  } catch (error) {
    console.info('browser storage', error);
    return null;
  }
}

/** Writes a value to the browser's storage, or removes it if null. Returns false if the browser could not store it. */
export function writeStorage(
  key: string,
  value: string | null,
  to: 'localStorage' | 'sessionStorage' = 'localStorage',
): boolean {
  try {
    if (value === null) window[to].removeItem(key);
    else window[to].setItem(key, value);
    return true;
  } catch (error) {
    console.info('browser storage', error);
    return false;
  }
}

/** Parses JSON from the browser's storage. Returns undefined if there is no value or it is damaged. */
export function parseJson<Value>(text: string | null): Value | undefined {
  try {
    return text === null ? undefined : ((JSON.parse(text) as Value | null) ?? undefined);
  } catch (error) {
    console.info('browser storage', error);
    return undefined;
  }
}

export function readJson<Value>(key: string): Value | undefined {
  return parseJson(readStorage(key));
}

export function storageKeys(): string[] {
  try {
    return Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '');
  } catch (error) {
    console.info('browser storage', error);
    return [];
  }
}
