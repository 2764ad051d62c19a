/**
 * Something was not done, and this is why: a reason and its values. The sentence for a person is written by who asked,
 * which alone knows the words and fields of its callers.
 */
export abstract class Refused<Why extends { readonly reason: string }> extends Error {
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
