import { useState, type ReactNode } from 'react';
import { sheaf } from '../../../lib/api-client.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/form-fields.tsx';
import { useStore } from '../../../ui/store.ts';
import { showErrorToast } from '../../../ui/toast.tsx';
import { DrawingFrame } from '../charts/drawing-frame.tsx';
import { useSheet, type SheetSession, type ToolOutput } from '../sheet-session.ts';
import { encodeBase64, toSameOriginPath } from '../../../lib/base64.ts';
import { affectsObjects, refetchTool, useLiveQuery } from './live-query.ts';
import type { PanelState } from './panel-state.ts';

type Image = ToolOutput<'get_images'>['images'][number];

const accepted = 'image/png,image/jpeg,image/gif,image/webp';
/** Maximum width of a newly inserted image in pixels. The user can enlarge the image afterwards. */
const widest = 480;

export function ImageLayer({ state }: { state: PanelState }): ReactNode {
  const { data } = useLiveQuery('get_images', {}, affectsObjects);
  return data?.images.map((image) => <OneImage key={image.object_id} image={image} state={state} />);
}

function OneImage({ image, state }: { image: Image; state: PanelState }): ReactNode {
  const { session, text } = useSheet();
  const { object_id } = image;
  const select = (): void => state.image.set(object_id);
  return (
    <DrawingFrame
      label={image.name}
      location={image.location}
      selected={useStore(state.image) === object_id}
      onSelect={select}
      onOpen={select}
      onDelete={async () => {
        await session.write('delete_image', { sheet_id: session.tab.id, object_id });
        await refetchTool(session, 'get_images');
      }}
      onMove={async (location) => {
        await session.write('update_image', { sheet_id: session.tab.id, object_id, location });
        await refetchTool(session, 'get_images');
      }}
      deleteLabel={text('deleteImage')}
    >
      <img
        // In the read-only preview of a workbook, the URL is a data URL that contains the image itself.
        src={image.url.startsWith('data:') ? image.url : toSameOriginPath(image.url)}
        alt={image.name}
        draggable={false}
        className="size-full rounded-md object-fill"
      />
    </DrawingFrame>
  );
}

export async function insertImage(session: SheetSession, file: Blob): Promise<void> {
  const { image_id: id, width, height } = await sheaf.manage.upload_image({ content: await encodeBase64(file) });
  const { row, col } = session.selection.get().active;
  const tab = session.tab.id;
  await session.write('insert_image', { sheet_id: tab, row_index: row, col_index: col, image_id: id });
  if (width > widest) {
    const { images } = await session.read('get_images', { sheet_id: tab });
    const made = images.at(-1);
    if (made)
      await session.write('update_image', {
        sheet_id: tab,
        object_id: made.object_id,
        location: {
          row_index: row,
          col_index: col,
          width: widest,
          height: Math.max(1, Math.round((height * widest) / width)),
        },
      });
  }
  await refetchTool(session, 'get_images');
}

export function ImageDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { session, text } = useSheet();
  const [busy, setBusy] = useState(false);
  const [over, setOver] = useState(false);
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    setBusy(true);
    try {
      await insertImage(session, file);
      onClose();
    } catch (error) {
      showErrorToast(error);
      setBusy(false);
    }
  };
  return (
    <Dialog title={text('insertImage')} onClose={onClose}>
      <div
        className={`flex flex-col gap-3 rounded-xl border-2 border-dashed p-5 ${over ? 'border-accent bg-accent-soft' : 'border-line'}`}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          void take(event.dataTransfer.files[0]);
        }}
      >
        <Field label={text('chooseImage')} hint={text('chooseImageHint')}>
          {(ids) => (
            <input
              {...ids}
              type="file"
              accept={accepted}
              disabled={busy}
              onChange={(event) => void take(event.target.files?.[0])}
              className={
                'text-sm file:mr-3 file:h-9 file:cursor-pointer file:rounded-lg file:border file:border-strong-line ' +
                'file:bg-raised file:px-3 file:font-medium file:text-ink'
              }
            />
          )}
        </Field>
      </div>
      <DialogButtons>
        <Button variant="quiet" onClick={onClose}>
          {text('cancel')}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
