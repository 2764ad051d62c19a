import { useQuery } from '@tanstack/react-query';
import { Check, CircleDashed } from 'lucide-react';
import type { ReactNode } from 'react';
import { sheaf } from '../../lib/api-client.ts';
import { useTranslation, type MessageKey } from '../../i18n/use-translation.ts';
import { CodeSnippet, Section } from '../../ui/page-layout.tsx';
import { SkeletonLines, queryPlaceholder } from '../../ui/status-placeholders.tsx';

type Part = Awaited<ReturnType<typeof sheaf.account.get_setup>>['parts'][number]['part'];

/** Title, explanation and installation commands of each optional feature. */
const parts: Record<Part, { title: MessageKey; hint: MessageKey; lines: string }> = {
  ocr: {
    title: 'setupOcr',
    hint: 'setupOcrHint',
    lines: 'npm install tesseract.js@7 @tesseract.js-data/chi_sim@1\nSHEAF_OCR=chi_sim npx sheaf',
  },
  transcription: {
    title: 'setupTranscription',
    hint: 'setupTranscriptionHint',
    lines: 'SHEAF_TRANSCRIBE_URL=https://speech.example/v1/audio/transcriptions npx sheaf',
  },
  meaning: {
    title: 'setupMeaning',
    hint: 'setupMeaningHint',
    lines: 'SHEAF_EMBED_URL=https://models.example/v1/embeddings npx sheaf',
  },
  dictionary: {
    title: 'setupDictionary',
    hint: 'setupDictionaryHint',
    lines: 'SHEAF_DICTIONARY=./cedict.txt npx sheaf',
  },
  sign_on: {
    title: 'setupSignOn',
    hint: 'setupSignOnHint',
    lines: 'SHEAF_OIDC_ISSUER=https://accounts.example SHEAF_OIDC_CLIENT_ID=sheaf npx sheaf',
  },
  public_url: {
    title: 'setupAddress',
    hint: 'setupAddressHint',
    lines: 'SHEAF_PUBLIC_URL=https://sheaf.example npx sheaf',
  },
  shared_database: {
    title: 'setupDatabase',
    hint: 'setupDatabaseHint',
    lines: 'SHEAF_DATABASE_URL=postgres://sheaf@db.example/sheaf npx sheaf',
  },
};

/**
 * Shows an administrator which optional features of the installation are set up, and how to set up the remaining ones.
 */
export function SetupSection(): ReactNode {
  const text = useTranslation();
  const setup = useQuery({ queryKey: ['setup'], queryFn: () => sheaf.account.get_setup({}) });
  return (
    <Section title={text('setup')}>
      <p className="text-soft">{text('setupLead')}</p>
      {queryPlaceholder(setup, <SkeletonLines count={6} className="h-14" />, true) ?? (
        <ul aria-label={text('setup')} className="divide-y divide-line rounded-xl border border-line bg-raised">
          {setup.data?.parts
            .toSorted((one, other) => Number(one.is_set_up) - Number(other.is_set_up))
            .map(({ part, is_set_up: isSetUp }) => (
              <li key={part} className="flex gap-3 px-4 py-3">
                {isSetUp ? (
                  <Check size={18} className="mt-0.5 shrink-0 text-accent" />
                ) : (
                  <CircleDashed size={18} className="mt-0.5 shrink-0 text-faint" />
                )}
                <div className="flex min-w-0 flex-1 flex-col gap-2">
                  <div>
                    <span className="font-medium">{text(parts[part].title)}</span>{' '}
                    <span className="text-sm text-faint">{text(isSetUp ? 'isSetUp' : 'isNotSetUp')}</span>
                    <p className="text-soft">{text(parts[part].hint)}</p>
                  </div>
                  {!isSetUp && <CodeSnippet label={text('setupLines')} code={parts[part].lines} />}
                </div>
              </li>
            ))}
        </ul>
      )}
    </Section>
  );
}
