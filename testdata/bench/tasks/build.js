function run() {
  const pieces = ["alpha", "be", "gamma", "del", "epsilon"];
  let total = 0;
  for (let round = 0; round < 500; round++) {
    let b = "";
    for (let i = 0; i < 200; i++) {
      b += pieces[(i + round) % 5];
      b += " ";
    }
    total += b.length;
  }
  return total;
}
