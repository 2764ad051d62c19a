/** A recently used object. */
export interface RecentItem {
  kind: 'note' | 'sheet' | 'base';
  id: string;
  title: string;
  about: string;
  /** When the object was changed or the base was opened; 0 if unknown. */
  time: number;
}
