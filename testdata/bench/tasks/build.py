def run():
    pieces = ["alpha", "be", "gamma", "del", "epsilon"]
    total = 0
    for round in range(500):
        b = []
        for i in range(200):
            b.append(pieces[(i + round) % 5])
            b.append(" ")
        total += len("".join(b))
    return total
