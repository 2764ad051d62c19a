import { encodeBase64, toSameOriginPath } from '../../lib/base64.ts';
import { sheaf } from '../../lib/api-client.ts';
import { showToast, showErrorToast } from '../../ui/toast.tsx';

export interface ImageMessages {
  readonly adding: string;
}

export const acceptedImageTypes = 'image/png,image/jpeg,image/gif,image/webp';

interface UploadedImage {
  readonly src: string;
  readonly alt: string;
}

/** Uploads images and passes the URLs to `insert`, in the given order. Failed uploads are reported and skipped. */
export async function uploadImages(
  files: readonly File[],
  texts: ImageMessages,
  insert: (pictures: readonly UploadedImage[]) => void,
): Promise<void> {
  showToast(texts.adding);
  const added: UploadedImage[] = [];
  for (const file of files) {
    try {
      const { url } = await sheaf.manage.upload_image({ content: await encodeBase64(file), with_url: true });
      // Store a path without the origin, because the note may be opened under another host name.
      if (url !== undefined) added.push({ src: toSameOriginPath(url), alt: nameOf(file) });
    } catch (error) {
      showErrorToast(error);
    }
  }
  if (added.length > 0) insert(added);
}

/**
 * Returns the alternative text of an image: its file name without extension. Returns an empty text for `image.png`, the
 * name of every clipboard image.
 */
function nameOf({ name }: File): string {
  return /^image\.\w+$/i.test(name) ? '' : name.replace(/\.\w{1,5}$/, '').replaceAll(/[[\]\\]/g, ' ');
}

/** Opens the browser's file picker. Resolves with the chosen images, or with none if the user cancels. */
export function pickImageFiles(): Promise<File[]> {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = acceptedImageTypes;
  input.multiple = true;
  return new Promise((resolve) => {
    input.addEventListener('change', () => resolve([...(input.files ?? [])]));
    input.addEventListener('cancel', () => resolve([]));
    input.click();
  });
}
