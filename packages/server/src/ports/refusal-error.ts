/**
 * Reports that an action was refused, as a reason code with values. The caller writes the message, because only the
 * caller knows which words and fields its own callers use.
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
