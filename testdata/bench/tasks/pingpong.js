function* pong() { let v = yield; for (;;) v = yield v + 1; }
function run() {
  const p = pong();
  p.next();
  let sum = 0;
  for (let i = 0; i < 20000; i++) sum += p.next(i).value;
  return sum;
}
