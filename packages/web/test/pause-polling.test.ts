import { focusManager } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { refetchIntervalMs, pauseAfterMs, pausePollingWhenUnused } from '../src/lib/pause-polling.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  focusManager.setFocused(undefined);
});

test('queries do not poll on a page that nobody uses, and read what is out of date when it is used again', () => {
  const page = new EventTarget();
  pausePollingWhenUnused(page);
  // A change to true makes queries read what is out of date; while it is false they do not poll.
  const seen: boolean[] = [];
  onTestFinished(focusManager.subscribe((isFocused) => seen.push(isFocused)));
  const seenIn = (ms: number): boolean[] => {
    seen.length = 0;
    vi.advanceTimersByTime(ms);
    return [...seen];
  };
  expect(seenIn(pauseAfterMs - 60_000)).toEqual([]);
  page.dispatchEvent(new Event('pointermove'));
  expect(seenIn(pauseAfterMs - 60_000)).toEqual([]);
  expect([seenIn(120_000), focusManager.isFocused()]).toEqual([[false], false]);
  // Once in each interval it looks for what it missed.
  expect(seenIn(refetchIntervalMs + 60_000)).toEqual([true, false]);
  expect([seenIn(refetchIntervalMs), focusManager.isFocused()]).toEqual([[true, false], false]);
  page.dispatchEvent(new Event('keydown'));
  expect(focusManager.isFocused()).toBe(true);
  expect(seenIn(60_000)).toEqual([]);
});
