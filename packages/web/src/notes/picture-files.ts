import { base64Of, ownAddress } from '../lib/bytes.ts';
import { sheaf } from '../lib/client.ts';
import { say, sayError } from '../ui/toast.tsx';

/** Messages in the user's language. */
export interface PictureTexts {
  readonly adding: string;
}

export const acceptedPictures = 'image/png,image/jpeg,image/gif,image/webp';

export function picturesIn(data: DataTransfer): File[] {
  return [...data.files].filter((file) => file.type.startsWith('image/'));
}

interface AddedPicture {
  readonly src: string;
  readonly alt: string;
}

/**
 * Uploads images and passes their addresses on, in the given order. A failed upload is reported and the others are
 * inserted.
 */
export async function addPictures(
  files: readonly File[],
  texts: PictureTexts,
  insert: (pictures: readonly AddedPicture[]) => void,
): Promise<void> {
  say(texts.adding);
  const added: AddedPicture[] = [];
  for (const file of files) {
    try {
      const { url } = await sheaf.manage.upload_image({ content: await base64Of(file), with_url: true });
      // Without the origin, because the note may be read under another host name.
      if (url !== undefined) added.push({ src: ownAddress(url), alt: nameOf(file) });
    } catch (error) {
      sayError(error);
    }
  }
  if (added.length > 0) insert(added);
}

/** Clipboard images are all called `image.png`, which is useless as alternative text. */
function nameOf({ name }: File): string {
  return /^image\.\w+$/i.test(name) ? '' : name.replace(/\.\w{1,5}$/, '').replaceAll(/[[\]\\]/g, ' ');
}

/** Opens the browser's file picker. */
export function askForPictures(): Promise<File[]> {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = acceptedPictures;
  input.multiple = true;
  return new Promise((resolve) => {
    input.addEventListener('change', () => resolve([...(input.files ?? [])]));
    input.addEventListener('cancel', () => resolve([]));
    input.click();
  });
}
