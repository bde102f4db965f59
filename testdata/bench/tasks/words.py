def run():
    words = ["word" + str(i * 7919) for i in range(64)]
    counts = {}
    seed = 1
    for i in range(100000):
        seed = seed * 16807 % 2147483647
        w = words[seed % 64]
        counts[w] = counts.get(w, 0) + 1
    sum = 0
    for i, w in enumerate(words):
        sum += counts[w] * (i + 1)
    return sum
