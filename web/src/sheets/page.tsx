import { Table2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../text/use-text.ts';
import { Empty } from '../ui/states.tsx';

export function SheetsPage(): ReactNode {
  const text = useText();
  return <Empty icon={<Table2 />} title={text('notFound')} />;
}

export function SheetPage(): ReactNode {
  return <SheetsPage />;
}
