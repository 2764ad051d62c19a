export interface RecentItem {
  kind: 'note' | 'sheet' | 'base';
  id: string;
  title: string;
  about: string;
  /** Time of the last change to a note or sheet, or of the last visit to a knowledge base; 0 if unknown. */
  time: number;
}
