export type FormatErrorCode =
  | 'encrypted'
  | 'wrong_password'
  | 'damaged'
  | 'too_large'
  | 'too_many_entries'
  | 'too_long'
  | 'unsupported'
  | 'timed_out'
  | 'crashed';

/** Error for a file that cannot be decoded. Its message is shown to the user who added the file. */
export class FormatError extends Error {
  readonly word: FormatErrorCode;

  constructor(word: FormatErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FormatError';
    this.word = word;
  }
}

export function damaged(what: string, cause?: unknown): FormatError {
  return new FormatError(
    'damaged',
    `The file is damaged: ${what}. Open it in the program that created it, save it again and upload the new copy.`,
    { cause },
  );
}

export function mebibytes(bytes: number): string {
  return `${Math.round((bytes / (1024 * 1024)) * 10) / 10} MB`;
}
