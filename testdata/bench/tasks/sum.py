def run():
    s = 0
    for i in range(1000000):
        s += i
    return s
