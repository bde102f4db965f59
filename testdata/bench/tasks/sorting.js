function run() {
  const a = [];
  let seed = 1;
  for (let i = 0; i < 100000; i++) {
    seed = seed * 16807 % 2147483647;
    a.push(seed);
  }
  a.sort((x, y) => x - y);
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * (i % 7);
  return sum;
}
