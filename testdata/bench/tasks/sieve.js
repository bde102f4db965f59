function run() {
  const n = 200000, composite = new Array(n + 1).fill(false);
  let count = 0;
  for (let i = 2; i <= n; i++) {
    if (composite[i]) continue;
    count++;
    for (let k = i * 2; k <= n; k += i) composite[k] = true;
  }
  return count;
}
