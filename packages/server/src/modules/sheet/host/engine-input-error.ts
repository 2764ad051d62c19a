/**
 * Returns whether the engine refused its input with a RangeError that starts with a field's name. JavaScript's own
 * RangeErrors, such as "Invalid array length", are server faults.
 */
export function isEngineInputError(error: unknown): error is RangeError {
  return error instanceof RangeError && /^[a-z][\w.]*: /.test(error.message);
}
