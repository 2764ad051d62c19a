const side = 128;

/** Crops a picture to a square around its center and scales it down. Returns a data URL. */
export async function shrinkPicture(file: File): Promise<string> {
  const bitmap = await createImageBitmap(file);
  const size = Math.min(bitmap.width, bitmap.height);
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const left = (bitmap.width - size) / 2;
  const top = (bitmap.height - size) / 2;
  canvas.getContext('2d')!.drawImage(bitmap, left, top, size, size, 0, 0, side, side);
  bitmap.close();
  return canvas.toDataURL('image/jpeg', 0.85);
}
