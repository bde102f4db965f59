def run():
    n = 200000
    composite = [False] * (n + 1)
    count = 0
    for i in range(2, n + 1):
        if composite[i]:
            continue
        count += 1
        for k in range(i * 2, n + 1, i):
            composite[k] = True
    return count
