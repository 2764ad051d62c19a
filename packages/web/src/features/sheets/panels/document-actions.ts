import { queryClient, sheaf } from '../../../lib/api-client.ts';
import { downloadFile } from '../../../lib/download.ts';
import { toSameOriginPath } from '../../../lib/base64.ts';
import type { Translate } from '../../../i18n/use-translation.ts';
import { promptText } from '../../../ui/prompt-dialog.tsx';
import { showToast, showErrorToast } from '../../../ui/toast.tsx';
import { putFile } from '../../../lib/upload.ts';

export const importableTypes =
  '.xlsx,.xls,.xlsb,.ods,.csv,text/csv,application/vnd.ms-excel,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export const refreshDocuments = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['sheets'] });

type Imported = Awaited<ReturnType<typeof sheaf.manage.import_file>>;

/**
 * Imports a file as a new document. First uploads the file to the server's file storage in a separate request, so that
 * the progress of the upload can be shown.
 */
export async function importDocument(
  file: File,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<Imported> {
  const {
    upload_url: url,
    file_key: key,
    max_size: most,
  } = await sheaf.manage.pre_import({ file_name: file.name.slice(0, 255) }, { signal });
  if (file.size > most) throw new Error(`${file.name}: ${file.size} > ${most} bytes`);
  await putFile(file, toSameOriginPath(url), { onProgress, signal });
  const title = file.name.replace(/\.(?:xls[xmb]?|ods|csv|tsv)$/i, '').slice(0, 255) || file.name;
  const made = await sheaf.manage.import_file(
    { title, file_key: key, ...(/\.csv$/i.test(file.name) ? { format: 'csv' as const } : {}) },
    { signal },
  );
  await refreshDocuments();
  return made;
}

export async function exportDocument(fileId: string, format: 'xlsx' | 'csv', sheetId?: string): Promise<void> {
  const {
    file_name: name,
    content,
    url,
  } = await sheaf.manage.export_file({
    file_id: fileId,
    format,
    ...(sheetId === undefined ? {} : { sheet_id: sheetId }),
  });
  if (content !== undefined)
    downloadFile(
      name,
      format === 'csv' ? 'text/csv' : 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      content,
      'base64',
    );
  else if (url !== undefined) {
    const link = document.createElement('a');
    link.href = toSameOriginPath(url);
    link.download = name;
    link.click();
  }
}

export async function copyDocument(fileId: string, name: string, text: Translate): Promise<string> {
  const title = text('copyOf', { name }).slice(0, 255);
  const { file_id: id } = await sheaf.manage.copy_file({ file_id: fileId, title });
  await refreshDocuments();
  return id;
}

export async function renameDocument(fileId: string, before: string, text: Translate): Promise<void> {
  const title = await promptText({
    title: text('rename'),
    label: text('title'),
    initial: before,
    action: text('rename'),
  });
  if (title === undefined) return;
  await sheaf.manage.rename_file({ file_id: fileId, title });
  await Promise.all([refreshDocuments(), queryClient.invalidateQueries({ queryKey: ['sheet', fileId] })]);
}

/** Moves the document to the trash and shows a message with an undo button. */
export async function deleteDocument(fileId: string, name: string, text: Translate): Promise<void> {
  await sheaf.manage.delete_file({ file_id: fileId });
  await refreshDocuments();
  showToast(text('sheetDeleted', { name }), {
    label: text('undo'),
    run: () => void restoreDocument(fileId).catch(showErrorToast),
  });
}

export async function restoreDocument(fileId: string): Promise<void> {
  await sheaf.manage.restore_file({ file_id: fileId });
  await refreshDocuments();
}
