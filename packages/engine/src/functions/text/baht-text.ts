import { format } from '../../base/number-format.ts';

const digitWords = ['', 'หนึ่ง', 'สอง', 'สาม', 'สี่', 'ห้า', 'หก', 'เจ็ด', 'แปด', 'เก้า'];
const placeWords = ['', 'สิบ', 'ร้อย', 'พัน', 'หมื่น', 'แสน'];
const millionWord = 'ล้าน';

/** Returns a number of up to six digits in Thai words. */
function group(digits: string): string {
  let out = '';
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[i]);
    const place = digits.length - 1 - i;
    if (digit === 0) continue;
    if (place === 1 && digit === 1) out += placeWords[1];
    else if (place === 1 && digit === 2) out += `ยี่${placeWords[1]}`;
    else if (place === 0 && digit === 1 && out !== '') out += 'เอ็ด';
    else out += (digitWords[digit] ?? '') + (placeWords[place] ?? '');
  }
  return out;
}

function words(digits: string): string {
  if (digits.length <= 6) return group(digits);
  const upper = words(digits.slice(0, -6));
  const lower = digits.slice(-6);
  // After millions, a final digit 1, as in 1,000,001, is written with a different Thai word.
  const rest = lower === '000001' ? 'เอ็ด' : group(lower.replace(/^0+/, ''));
  return upper + millionWord + rest;
}

/** Implements BAHTTEXT: writes an amount of baht and satang in Thai words. */
export function bahtText(value: number): string {
  const [whole = '0', satang = '00'] = format(Math.abs(value), '0.00').split('.');
  const baht = words(whole.replace(/^0+/, ''));
  const cents = words(satang.replace(/^0+/, ''));
  if (baht === '' && cents === '') return 'ศูนย์บาทถ้วน';
  const sign = value < 0 ? 'ลบ' : '';
  return `${sign}${baht === '' ? '' : `${baht}บาท`}${cents === '' ? 'ถ้วน' : `${cents}สตางค์`}`;
}
