/** What another app shared into the page, stored in this browser until the user decides about it. */
export interface SharedContent {
  readonly title: string;
  readonly text: string;
  readonly url: string;
  readonly files: readonly { readonly name: string; readonly type: string }[];
  /** Number of files that were too many or too large. */
  readonly leftOut: number;
  readonly at: number;
}

export const shareCache = 'sheaf-shared';
export const sharePaths = { content: '/shared-content', file: (index: number): string => `/shared-content/${index}` };
