/**
 * Error that reports why an action was refused, as a reason code with values. It contains no text for users. The code
 * that catches it writes that text, because only that code knows the field names of its API.
 */
export abstract class RefusalError<Why extends { readonly reason: string }> extends Error {
  readonly why: Why;

  constructor(why: Why, cause?: unknown) {
    super(JSON.stringify(why), { cause });
    this.name = new.target.name;
    this.why = why;
  }

  get reason(): Why['reason'] {
    return this.why.reason;
  }
}
