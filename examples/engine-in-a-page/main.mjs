// The calculation engine without a server: cells change, `recalc` computes what depends on them.
//   npx vite examples/engine-in-a-page
import { Workbook, format } from 'sheaf/engine';

const inputs = ['amount', 'rate', 'years'];
const workbook = new Workbook();
const sheet = workbook.addSheet('Loan');
workbook.setFormula(sheet, 3, 0, '=-PMT(A2/12, A3*12, A1)');

function show() {
  inputs.forEach((id, row) => workbook.setValue(sheet, row, 0, Number(document.getElementById(id).value)));
  workbook.recalc();
  document.getElementById('payment').textContent = format(sheet.read(3, 0), '#,##0.00');
}

for (const id of inputs) document.getElementById(id).addEventListener('input', show);
show();
