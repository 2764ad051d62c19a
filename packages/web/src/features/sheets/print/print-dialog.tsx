import { useQuery } from '@tanstack/react-query';
import { Printer } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../../ui/dialog.tsx';
import { Field, Select } from '../../../ui/form-fields.tsx';
import { ErrorState, SkeletonLines } from '../../../ui/status-placeholders.tsx';
import { showToast, showErrorToast } from '../../../ui/toast.tsx';
import { LabeledSelect, LiveCheckbox, TextField } from '../panels/panel-inputs.tsx';
import { parseRange } from '../cell-geometry.ts';
import { useSheet } from '../sheet-session.ts';
import { HeaderFields } from './header-fields.tsx';
import { papers, type PageSetup } from './page-setup.ts';
import { maxPrinted, PrintTooLargeError } from './build-print-table.ts';
import { PrintPreview } from './print-preview.tsx';
import { printSheet } from './print-sheet.ts';

/**
 * Dialog with the page setup of a sub-sheet. Its button opens the browser's print dialog, which can also create a PDF.
 */
export function PrintDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { session, text } = useSheet();
  const { id, name } = session.tab;
  const known = useQuery({
    queryKey: ['sheet', session.fileId, 'page-setup', id, session.version],
    queryFn: async () => {
      const { sheets = [] } = await session.read('list_objects', { sheet_id: id, object_types: ['sheet'] });
      return sheets[0]!.page as unknown as PageSetup;
    },
  });
  return (
    <Dialog title={text('printName', { name })} onClose={onClose} width="large">
      {known.data ? (
        <Setup known={known.data} onClose={onClose} />
      ) : known.error ? (
        <ErrorState error={known.error} />
      ) : (
        <SkeletonLines count={4} />
      )}
    </Dialog>
  );
}

const fits = { '1x0': 'fitWidth', '1x1': 'fitPage', '': 'fitNone' } as const;
const margins = {
  normal: { left: 0.7, right: 0.7, top: 0.75, bottom: 0.75 },
  narrow: { left: 0.25, right: 0.25, top: 0.4, bottom: 0.4 },
  wide: { left: 1, right: 1, top: 1, bottom: 1 },
} as const;
const optionWords = { gridlines: 'printGridlines', headings: 'printHeadings', center_across: 'printCentered' } as const;
type Option = keyof typeof optionWords;
const marginWords = { normal: 'marginsNormal', narrow: 'marginsNarrow', wide: 'marginsWide' } as const;

function Setup({ known, onClose }: { known: PageSetup; onClose: () => void }): ReactNode {
  const { session, text } = useSheet();
  const [setup, setSetup] = useState(known);
  const [isBusy, setBusy] = useState(false);
  const change = (more: Partial<PageSetup>): void => setSetup((before) => ({ ...before, ...more }));
  const has = (option: Option): boolean => setup.options.includes(option);
  const toggle = (option: Option): void =>
    change({ options: has(option) ? setup.options.filter((one) => one !== option) : [...setup.options, option] });
  const margin = (Object.keys(margins) as (keyof typeof margins)[]).find((one) =>
    Object.entries(margins[one]).every(([edge, inches]) => setup.margins[edge as 'left'] === inches),
  );
  const area = setup.print_area ?? '';
  const isUnclear = area !== '' && !parseRange(area.split(',')[0]!);
  const run = async (): Promise<void> => {
    setBusy(true);
    try {
      const { tab } = session;
      if (session.mayWrite && JSON.stringify(setup) !== JSON.stringify(known)) await save(setup, tab.id);
      onClose();
      if (!(await printSheet(session, tab.id, tab.name, setup))) showToast(text('nothingToPrint'));
    } catch (error) {
      setBusy(false);
      if (error instanceof PrintTooLargeError)
        showErrorToast(new Error(text('tooMuchToPrint', { count: maxPrinted.toLocaleString() })));
      else showErrorToast(error);
    }
  };
  const save = async ({ scale, fit, ...rest }: PageSetup, sheet_id: string): Promise<void> => {
    await session.write('set_page_setup', {
      sheet_id,
      ...rest,
      options: [...rest.options],
      print_area: rest.print_area ?? '',
      titles: rest.titles ?? '',
      ...(fit === undefined ? { scale: scale ?? 100 } : { fit }),
    });
  };
  return (
    <form
      className="flex flex-col gap-6 md:flex-row"
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <div className="flex min-w-0 flex-1 flex-col gap-3">
        <div className="grid gap-3 sm:grid-cols-2">
          <Field label={text('paper')}>
            {(ids) => (
              <Select {...ids} value={setup.paper} onChange={(event) => change({ paper: Number(event.target.value) })}>
                {Object.entries(papers).map(([number, { name }]) => (
                  <option key={number} value={number}>
                    {name}
                  </option>
                ))}
                {!papers[setup.paper] && <option value={setup.paper}>{setup.paper}</option>}
              </Select>
            )}
          </Field>
          <LabeledSelect
            label={text('orientation')}
            value={setup.orientation}
            words={{ portrait: 'portrait', landscape: 'landscape' }}
            onChange={(orientation) => change({ orientation })}
          />
          <LabeledSelect
            label={text('printSize')}
            value={(setup.fit ?? '') in fits ? ((setup.fit ?? '') as keyof typeof fits) : ''}
            words={fits}
            onChange={(fit) =>
              setSetup(({ fit: _, scale: __, ...rest }) => (fit === '' ? { ...rest, scale: 100 } : { ...rest, fit }))
            }
          />
          <LabeledSelect
            label={text('margins')}
            value={margin ?? 'normal'}
            words={marginWords}
            onChange={(one) => change({ margins: { ...setup.margins, ...margins[one] } })}
          />
          <TextField
            label={text('printArea')}
            hint={text('printAreaHint')}
            error={isUnclear ? text('rangeUnclear') : undefined}
            value={area}
            spellCheck={false}
            placeholder="A1:D99"
            onChange={(given) => change({ print_area: given.trim().toUpperCase() })}
          />
          <TextField
            label={text('repeatRows')}
            hint={text('repeatRowsHint')}
            value={setup.titles ?? ''}
            spellCheck={false}
            placeholder="1:1"
            onChange={(titles) => change({ titles: titles.trim() })}
          />
        </div>
        <HeaderFields label={text('pageHeader')} line={setup.header ?? ''} onChange={(header) => change({ header })} />
        <HeaderFields label={text('pageFooter')} line={setup.footer ?? ''} onChange={(footer) => change({ footer })} />
        <div className="flex flex-wrap gap-x-5 gap-y-1.5">
          {Object.entries(optionWords).map(([option, label]) => (
            <LiveCheckbox
              key={option}
              label={text(label)}
              checked={has(option as Option)}
              onChange={() => toggle(option as Option)}
            />
          ))}
        </div>
        <DialogButtons>
          <Button variant="quiet" onClick={onClose}>
            {text('cancel')}
          </Button>
          <Button type="submit" variant="primary" disabled={isBusy || isUnclear}>
            <Printer size={15} /> {text('print')}
          </Button>
        </DialogButtons>
      </div>
      <div className="flex justify-center rounded-xl bg-panel p-5 max-md:order-first">
        <PrintPreview setup={setup} />
      </div>
    </form>
  );
}
