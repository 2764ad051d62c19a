/**
 * Content that another app shared with this app. It is stored in this browser until the user accepts or discards it.
 */
export interface SharedContent {
  readonly title: string;
  readonly text: string;
  readonly url: string;
  readonly files: readonly { readonly name: string; readonly type: string }[];
  /** Number of shared files that were left out, because there were too many or they were too large. */
  readonly leftOut: number;
  readonly at: number;
}

export const shareCache = 'sheaf-shared';
export const sharePaths = { content: '/shared-content', file: (index: number): string => `/shared-content/${index}` };
