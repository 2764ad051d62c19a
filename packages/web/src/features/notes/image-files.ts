/** Returns the images among dropped or pasted files. */
export function imageFilesIn(data: DataTransfer): File[] {
  return [...data.files].filter((file) => file.type.startsWith('image/'));
}
