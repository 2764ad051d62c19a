/**
 * True if the engine refused its input, by a RangeError that starts with the field's name. JavaScript's own
 * RangeErrors, such as "Invalid array length", are server faults.
 */
export function isEngineInputError(error: unknown): error is RangeError {
  return error instanceof RangeError && /^[a-z][\w.]*: /.test(error.message);
}
