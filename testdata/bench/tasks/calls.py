class Account:
    def __init__(self):
        self.total = 0
    def add(self, n):
        self.total += n
        return self.total

def adder():
    sum = 0
    def f(n):
        nonlocal sum
        sum += n
        return sum
    return f

def run():
    a = Account()
    f = adder()
    last = 0
    for i in range(100000):
        last = a.add(i) + f(1)
    return last
