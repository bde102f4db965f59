function run() {
  const words = [];
  for (let i = 0; i < 64; i++) words.push("word" + i * 7919);
  const counts = new Map();
  let seed = 1;
  for (let i = 0; i < 100000; i++) {
    seed = seed * 16807 % 2147483647;
    const w = words[seed % 64];
    counts.set(w, (counts.get(w) || 0) + 1);
  }
  let sum = 0;
  words.forEach((w, i) => { sum += counts.get(w) * (i + 1); });
  return sum;
}
