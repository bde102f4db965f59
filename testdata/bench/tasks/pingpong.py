def pong():
    v = yield
    while True:
        v = yield v + 1

def run():
    p = pong()
    next(p)
    sum = 0
    for i in range(20000):
        sum += p.send(i)
    return sum
