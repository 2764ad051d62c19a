import { Library } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../text/use-text.ts';
import { Empty } from '../ui/states.tsx';

export function BasesPage(): ReactNode {
  const text = useText();
  return <Empty icon={<Library />} title={text('notFound')} />;
}
