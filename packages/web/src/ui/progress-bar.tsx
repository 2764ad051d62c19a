import type { ReactNode } from 'react';

/** A progress bar from 0 to 1. If `share` is undefined, an animation shows that the progress is unknown. */
export function ProgressBar({
  share,
  label,
  className = 'h-1.5 w-full',
}: {
  share: number | undefined;
  label: string;
  className?: string;
}): ReactNode {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(share === undefined ? {} : { 'aria-valuenow': Math.round(share * 100) })}
      className={`overflow-hidden rounded-full bg-line ${className}`}
    >
      <div
        className={`h-full rounded-full bg-accent transition-[width] ${share === undefined ? 'w-1/3 animate-pulse' : ''}`}
        style={share === undefined ? undefined : { width: `${share * 100}%` }}
      />
    </div>
  );
}
