import { Sprout } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useLanguage, useTranslation } from '../../i18n/use-translation.ts';
import { confirmAction } from '../../ui/prompt-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { useStore } from '../../ui/store.ts';
import { showToast, showErrorToast } from '../../ui/toast.tsx';
import type { RecentItem } from './recent-item.ts';
import { addSamples, isSampleTitle, removeSamples, readAddedSamples, samplesProgress } from './samples.ts';

/**
 * Offers to add samples while the account is empty, and to remove them while they exist, even if they were added in
 * another browser.
 */
export function SamplesCard({ isEmpty, titles }: { isEmpty: boolean; titles: readonly RecentItem[] }): ReactNode {
  const text = useTranslation();
  const language = useLanguage();
  const progress = useStore(samplesProgress);
  const [busy, setBusy] = useState(false);
  const remembered = readAddedSamples();
  const isHere = remembered !== undefined || titles.some((one) => isSampleTitle(one.title));
  const isBroken = remembered !== undefined && remembered.isWhole !== true && progress === undefined;
  if (!isEmpty && !isHere && progress === undefined) return null;
  const add = async (): Promise<void> => {
    if (isBroken) await removeSamples();
    await addSamples(language);
    showToast(text('samplesAdded'));
  };
  const remove = async (): Promise<void> => {
    // Samples added in another browser are recognized only by their titles, so the user has to confirm their removal.
    if (remembered === undefined) {
      const sure = await confirmAction({
        title: text('removeSamples'),
        explanation: text('removeSamplesHint', {
          names: titles
            .filter((one) => isSampleTitle(one.title))
            .map((one) => one.title)
            .join(', '),
        }),
        action: text('removeSamples'),
        danger: true,
      });
      if (!sure) return;
    }
    await removeSamples();
    showToast(text('samplesRemoved'));
  };
  const run = (work: () => Promise<void>) => () => {
    setBusy(true);
    work()
      .catch(showErrorToast)
      .finally(() => setBusy(false));
  };
  return (
    <section
      aria-label={text('samples')}
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-2xl bg-accent-soft px-5 py-4"
    >
      <Sprout className="text-accent" />
      <p className="min-w-60 flex-1">
        {progress === undefined
          ? text(isBroken ? 'samplesBroken' : isHere ? 'samplesHere' : 'samplesOffer')
          : text('samplesOnTheirWay')}
      </p>
      {progress === undefined ? (
        <div className="flex gap-2">
          {(!isHere || isBroken) && (
            <Button disabled={busy} onClick={run(add)}>
              {text(isBroken ? 'addSamplesAgain' : 'addSamples')}
            </Button>
          )}
          {isHere && (
            <Button disabled={busy} onClick={run(remove)}>
              {text('removeSamples')}
            </Button>
          )}
        </div>
      ) : (
        <ProgressBar share={progress} label={text('samplesOnTheirWay')} className="h-1.5 w-40" />
      )}
    </section>
  );
}
