/**
 * Returns whether the error says that the engine refused its input. The message of such a RangeError starts with a
 * field's name, unlike JavaScript's own RangeErrors such as "Invalid array length", which are server faults.
 */
export function isEngineInputError(error: unknown): error is RangeError {
  return error instanceof RangeError && /^[a-z][\w.]*: /.test(error.message);
}
