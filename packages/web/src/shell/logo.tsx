import type { ReactNode } from 'react';

export function Logo({ size = 24 }: { size?: number }): ReactNode {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden className="shrink-0">
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <g fill="none" className="stroke-accent-ink" strokeWidth="2.4" strokeLinecap="round">
        <path d="M16 26V7M16 19c-4-1-7-4-7-9M16 19c4-1 7-4 7-9" />
        <path d="M11 21h10" />
      </g>
    </svg>
  );
}
