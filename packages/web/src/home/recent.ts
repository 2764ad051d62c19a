/** Something that was worked on lately. */
export interface Recent {
  kind: 'note' | 'sheet' | 'base';
  id: string;
  title: string;
  about: string;
  /** When it was changed, or a base opened; 0 where nobody knows. */
  time: number;
}
