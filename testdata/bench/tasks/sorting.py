from functools import cmp_to_key

def run():
    a = []
    seed = 1
    for i in range(100000):
        seed = seed * 16807 % 2147483647
        a.append(seed)
    a.sort(key=cmp_to_key(lambda x, y: x - y))
    sum = 0
    for i, v in enumerate(a):
        sum += v * (i % 7)
    return sum
