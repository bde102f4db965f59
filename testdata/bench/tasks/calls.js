class Account {
  constructor() { this.total = 0; }
  add(n) { this.total += n; return this.total; }
}
function adder() { let sum = 0; return n => { sum += n; return sum; }; }
function run() {
  const a = new Account(), f = adder();
  let last = 0;
  for (let i = 0; i < 100000; i++) last = a.add(i) + f(1);
  return last;
}
