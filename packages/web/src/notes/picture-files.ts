import { base64Of, ownAddress } from '../lib/bytes.ts';
import { sheaf } from '../lib/client.ts';
import { say, sayError } from '../ui/toast.tsx';

/** What is said on the way, in the reader's language. */
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

/** Stores pictures and hands over their addresses, in the order they were given. What cannot be stored is said; the others go in. */
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
      // Without the name of the server: the text is read under others too.
      if (url !== undefined) added.push({ src: ownAddress(url), alt: nameOf(file) });
    } catch (error) {
      sayError(error);
    }
  }
  if (added.length > 0) insert(added);
}

/** Clipboards call every picture the same: that says nothing. */
function nameOf({ name }: File): string {
  return /^image\.\w+$/i.test(name) ? '' : name.replace(/\.\w{1,5}$/, '').replaceAll(/[[\]\\]/g, ' ');
}

/** A person picks files. */
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
