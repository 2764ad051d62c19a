import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, type ReactNode } from 'react';
import { mediaNumber } from '@sheaf/client/media-types';
import { useTranslation } from '../../../i18n/use-translation.ts';
import { SkeletonLines } from '../../../ui/status-placeholders.tsx';
import { toRelativeFileUrl } from '../queries.ts';
import { OfficePackage, maxFileBytes } from './office-package.ts';
import { renderSlides } from './slides-preview.tsx';
import { renderWordDocument } from './word-preview.tsx';

interface OfficePreviewProps {
  link: string;
  type: number;
  /**
   * Called if the file cannot be loaded, is too large, or is not a valid Word or PowerPoint file. The caller then shows
   * the extracted text instead.
   */
  onUnfit: () => void;
}

/**
 * Shows a preview of a Word or PowerPoint file. Only recognized content is rendered, so the file cannot inject markup.
 */
export function OfficePreview({ link, type, onUnfit }: OfficePreviewProps): ReactNode {
  const text = useTranslation();
  const id = useId();
  const file = useQuery({
    queryKey: ['office-file', link, id],
    queryFn: async () => {
      const bytes = await (await fetch(toRelativeFileUrl(link))).arrayBuffer();
      return bytes.byteLength > maxFileBytes ? null : new OfficePackage(new Uint8Array(bytes));
    },
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  const opened = file.data ?? undefined;
  useEffect(() => () => opened?.close(), [opened]);
  const shown =
    opened &&
    (type === mediaNumber.slides
      ? renderSlides(opened, (number) => text('slideNumber', { number }))
      : renderWordDocument(opened));
  const isUnfit = file.isError || file.data === null || (opened !== undefined && shown === undefined);
  useEffect(() => {
    if (isUnfit) onUnfit();
  }, [isUnfit, onUnfit]);
  if (!shown) return <SkeletonLines count={8} className="h-5" />;
  return type === mediaNumber.slides ? (
    <div className="flex flex-col gap-5">{shown}</div>
  ) : (
    <div className="prose rounded-xl border border-line bg-raised px-6 py-8 md:px-12 md:py-12">{shown}</div>
  );
}
