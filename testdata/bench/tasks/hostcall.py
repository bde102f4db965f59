def run():
    s = 0
    for i in range(100000):
        s = add(s, i)
    return s
