function run() { let s = 0; for (let i = 0; i < 100000; i++) s = add(s, i); return s; }
