import { Check as CheckMark, CircleAlert, RotateCw, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { formatBytes } from '../../lib/format.ts';
import { useLanguage, useTranslation } from '../../i18n/use-translation.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { Checkbox } from '../../ui/form-fields.tsx';
import { useStore } from '../../ui/store.ts';
import {
  retryUpload,
  cancelUpload,
  resolveNameConflicts,
  removeFinishedUploads,
  uploads,
  type NameConflictPolicy,
  type QueuedUpload,
} from './upload-queue.ts';

export function UploadPanel(): ReactNode {
  const text = useTranslation();
  const all = useStore(uploads);
  if (all.length === 0) return null;
  const done = all.filter(({ state }) => state === 'done').length;
  return (
    <section
      aria-label={text('uploads')}
      className="rise absolute right-3 bottom-3 z-20 flex w-[min(24rem,calc(100%-1.5rem))] flex-col rounded-2xl border border-line bg-raised shadow-float"
    >
      <header className="flex items-center justify-between py-1.5 pr-2 pl-4">
        <h2 className="text-sm font-medium" role="status">
          {text('uploadedCount', { done, count: all.length })}
        </h2>
        <IconButton label={text('close')} onClick={removeFinishedUploads}>
          <X size={16} />
        </IconButton>
      </header>
      <NameConflicts asked={all.filter(({ state }) => state === 'asked')} />
      <ul className="scroll-thin max-h-64 overflow-y-auto px-4 pb-3">
        {all.map((upload) => (
          <UploadRow key={upload.id} upload={upload} />
        ))}
      </ul>
    </section>
  );
}

const choices: readonly NameConflictPolicy[] = ['replace', 'keep_both', 'skip'];
const choiceLabels = { replace: 'replace', keep_both: 'keepBothFiles', skip: 'skipFile' } as const;

/**
 * Asks what to do with files whose names already exist in the folder: replace the existing file, keep both files, or
 * skip the upload. The choice applies to one of the files or to all of them.
 */
function NameConflicts({ asked }: { asked: readonly QueuedUpload[] }): ReactNode {
  const text = useTranslation();
  const [forAll, setForAll] = useState(true);
  const first = asked[0];
  if (!first) return null;
  const ids = forAll ? asked.map(({ id }) => id) : [first.id];
  return (
    <div
      role="group"
      aria-label={text('sameName')}
      className="flex flex-col gap-2 border-y border-line bg-warn-soft px-4 py-3"
    >
      <p className="text-sm text-warn" role="alert">
        {text('sameNameHint', { name: first.name })}
      </p>
      <div className="flex flex-wrap gap-1.5">
        {choices.map((choice) => (
          <Button key={choice} className="h-8" onClick={() => resolveNameConflicts(choice, ids)}>
            {text(choiceLabels[choice])}
          </Button>
        ))}
      </div>
      {asked.length > 1 && (
        <Checkbox
          label={text('sameNameAll', { count: asked.length })}
          checked={forAll}
          onChange={(event) => setForAll(event.target.checked)}
        />
      )}
    </div>
  );
}

function UploadRow({ upload }: { upload: QueuedUpload }): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  const { state } = upload;
  return (
    <li className="flex flex-col gap-1 py-1.5">
      <div className="flex min-h-7 items-center gap-2 text-sm">
        <span className="min-w-0 flex-1 truncate" title={upload.name}>
          {upload.name}
        </span>
        <span className="text-faint">
          {state === 'sending'
            ? `${Math.round(upload.share * 100)} %`
            : state === 'waiting'
              ? text('waiting')
              : state === 'cancelled'
                ? text('cancelled')
                : state === 'asked'
                  ? text('sameName')
                  : state === 'skipped'
                    ? text('skippedFile')
                    : formatBytes(upload.size, language)}
        </span>
        {state === 'done' && <CheckMark size={15} className="text-accent" aria-label={text('done')} />}
        {state === 'failed' && <CircleAlert size={15} className="text-danger" aria-label={text('failed')} />}
        {(state === 'sending' || state === 'waiting') && (
          <IconButton
            label={`${text('cancel')}: ${upload.name}`}
            className="size-7"
            onClick={() => cancelUpload(upload.id)}
          >
            <X size={14} />
          </IconButton>
        )}
        {(state === 'failed' || state === 'cancelled') && (
          <IconButton
            label={`${text('tryAgain')}: ${upload.name}`}
            className="size-7"
            onClick={() => retryUpload(upload.id)}
          >
            <RotateCw size={14} />
          </IconButton>
        )}
      </div>
      {(state === 'sending' || state === 'waiting') && (
        <ProgressBar share={upload.share} label={upload.name} className="h-1 w-full" />
      )}
      {state === 'failed' && <p className="text-sm text-danger">{upload.reason}</p>}
    </li>
  );
}
