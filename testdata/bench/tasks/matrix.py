def run():
    n = 100
    a = [[float(i + k) for k in range(n)] for i in range(n)]
    b = [[float(i - k) for k in range(n)] for i in range(n)]
    c = [[0.0] * n for i in range(n)]
    for i in range(n):
        for j in range(n):
            sum = 0.0
            for k in range(n):
                sum += a[i][k] * b[k][j]
            c[i][j] = sum
    return int(c[10][20] + c[99][0] * 3)
