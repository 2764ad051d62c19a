/**
 * Whether the engine refused what it was given: by a RangeError with the field at the front. Those of JavaScript itself, such
 * as "Invalid array length", are faults of ours.
 */
export function isMisuse(error: unknown): error is RangeError {
  return error instanceof RangeError && /^[a-z][\w.]*: /.test(error.message);
}
