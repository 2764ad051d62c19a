// Loaded by a node of the random drill before anything else (NODE_OPTIONS=--require), in each of its threads: its clock is off by
// as many milliseconds as the file SKEW_FILE says, looked at every 100 ms. Timers and the monotonic clock stay right.
const { readFileSync } = require('node:fs');

const file = process.env.SKEW_FILE;
const trueNow = Date.now;
const TrueDate = Date;
let offset = 0;

function look() {
  try {
    offset = Number(readFileSync(file, 'utf8')) || 0;
  } catch {
    offset = 0;
  }
}

if (file) {
  look();
  setInterval(look, 100).unref();
  globalThis.Date = class Date extends TrueDate {
    constructor(...given) {
      if (given.length === 0) super(trueNow() + offset);
      else super(...given);
    }

    static now() {
      return trueNow() + offset;
    }
  };
}
