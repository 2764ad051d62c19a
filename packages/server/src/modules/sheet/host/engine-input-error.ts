/**
 * Returns whether the engine refused its input. Such a RangeError starts with a field's name, unlike JavaScript's own
 * RangeErrors such as "Invalid array length", which are server faults.
 */
export function isEngineInputError(error: unknown): error is RangeError {
  return error instanceof RangeError && /^[a-z][\w.]*: /.test(error.message);
}
