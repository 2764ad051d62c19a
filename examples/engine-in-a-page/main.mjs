// The calculation engine without a server: a cell is set, everything that depends on it is computed.
//   npx vite examples/engine-in-a-page
import { Workbook, format } from 'sheaf/engine';

const inputs = { amount: 'A1', rate: 'A2', years: 'A3' };
const workbook = Workbook.fromRows([[0], [0], [1], ['=-PMT(A2/12, A3*12, A1)']]);
workbook.onChange(() => {
  document.getElementById('payment').textContent = format(workbook.get('A4'), '#,##0.00');
});

for (const [id, address] of Object.entries(inputs)) {
  const input = document.getElementById(id);
  const update = () => workbook.set(address, Number(input.value));
  input.addEventListener('input', update);
  update();
}
