import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../text/use-text.ts';
import { Empty } from '../ui/states.tsx';

export function NotFound(): ReactNode {
  const text = useText();
  return (
    <Empty
      icon={<Compass />}
      title={text('notFound')}
      isPage
      actions={
        <Link to="/" className="font-medium text-accent underline underline-offset-2">
          {text('home')}
        </Link>
      }
    >
      {text('notFoundHint')}
    </Empty>
  );
}
