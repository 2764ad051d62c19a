import { Sprout } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useLanguage, useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { say, sayError } from '../ui/toast.tsx';
import { addSamples, removeSamples, samplesHere } from './samples.ts';

/** Offered while there is nothing yet, and for as long as the samples are there. */
export function SamplesCard({ isEmpty }: { isEmpty: boolean }): ReactNode {
  const text = useText();
  const language = useLanguage();
  const [samples, setSamples] = useState(samplesHere);
  const [busy, setBusy] = useState(false);
  if (!isEmpty && samples === undefined) return null;
  const run = async (): Promise<void> => {
    setBusy(true);
    try {
      if (samples) await removeSamples(samples);
      else await addSamples(language);
      say(text(samples ? 'samplesRemoved' : 'samplesAdded'));
    } finally {
      setSamples(samplesHere());
      setBusy(false);
    }
  };
  return (
    <section className="flex flex-wrap items-center gap-4 rounded-2xl bg-accent-soft px-5 py-4">
      <Sprout className="text-accent" />
      <p className="min-w-60 flex-1">{text(samples ? 'samplesHere' : 'samplesOffer')}</p>
      <Button disabled={busy} onClick={() => run().catch(sayError)}>
        {text(samples ? 'removeSamples' : 'addSamples')}
      </Button>
    </section>
  );
}
