export function shorten(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const letters = [...text];
  return letters.length <= longest ? text : `${letters.slice(0, longest - 1).join('')}…`;
}
