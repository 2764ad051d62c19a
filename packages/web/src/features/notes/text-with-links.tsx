import { useNavigate } from '@tanstack/react-router';
import { useContext, type ReactNode } from 'react';
import { useTranslation } from '../../i18n/use-translation.ts';
import { LinkTargetsContext, linkTargetPath, noteLinkPattern, targetOf, type LinkTarget } from './link-targets.ts';

/** Returns a function that navigates to the target of a `[[link]]`. */
export function useOpenTarget(): (target: LinkTarget) => void {
  const navigate = useNavigate();
  return (target) => void navigate({ to: linkTargetPath(target) });
}

/**
 * Renders text in which each `[[link]]` with a known target is clickable. A link without a target is marked as missing.
 */
export function TextWithLinks({ text: shown }: { text: string }): ReactNode {
  const links = useContext(LinkTargetsContext);
  if (!links || !shown.includes('[[')) return shown;
  const parts: ReactNode[] = [];
  let at = 0;
  for (const found of shown.matchAll(noteLinkPattern)) {
    const [whole, title, heading = '', words] = found;
    parts.push(
      shown.slice(at, found.index),
      <WikiLink key={found.index} target={targetOf(links, title!)} title={title!}>
        {words ?? `${title}${heading}`}
      </WikiLink>,
    );
    at = found.index + whole.length;
  }
  return [...parts, shown.slice(at)];
}

interface WikiLinkProps {
  target: LinkTarget | undefined;
  title: string;
  children: ReactNode;
}

function WikiLink({ target, title, children }: WikiLinkProps): ReactNode {
  const text = useTranslation();
  const open = useOpenTarget();
  if (!target)
    return (
      <span className="link-missing" title={text('linkWithoutTarget', { name: title })}>
        {children}
      </span>
    );
  return (
    <a
      href={linkTargetPath(target)}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        open(target);
      }}
    >
      {children}
    </a>
  );
}
