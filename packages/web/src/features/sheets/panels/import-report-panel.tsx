import { FileCheck2, TriangleAlert } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/status-placeholders.tsx';
import { deleteImportReport, readImportReport } from '../import-report.ts';
import { useSheet } from '../sheet-session.ts';

export function ImportReportPanel(): ReactNode {
  const { session, text } = useSheet();
  const [warnings] = useState(() => readImportReport(session.fileId));
  if (warnings.length === 0) return <EmptyState icon={<FileCheck2 />} title={text('importWhole')} />;
  return (
    <>
      <p className="text-sm text-soft">{text('importReportHint', { count: warnings.length })}</p>
      <ul aria-label={text('importReport')} className="flex flex-col gap-2">
        {warnings.map((warning, index) => (
          <li key={index} className="flex gap-2 rounded-lg bg-warn-soft px-3 py-2 text-sm">
            <TriangleAlert size={15} className="mt-0.5 shrink-0 text-warn" aria-hidden />
            <span className="min-w-0 break-words">{warning}</span>
          </li>
        ))}
      </ul>
      <Button
        onClick={() => {
          deleteImportReport(session.fileId);
          session.closePanel();
        }}
      >
        {text('importReportSeen')}
      </Button>
    </>
  );
}
