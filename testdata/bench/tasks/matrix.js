function run() {
  const n = 100, a = [], b = [], c = [];
  for (let i = 0; i < n; i++) {
    a.push([]); b.push([]); c.push([]);
    for (let k = 0; k < n; k++) { a[i].push(i + k); b[i].push(i - k); c[i].push(0); }
  }
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let k = 0; k < n; k++) sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
  }
  return c[10][20] + c[99][0] * 3;
}
