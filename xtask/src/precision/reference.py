"""Exact results of functions of floats, for `cargo xtask precision`.

Reads requests from standard input, one a line: a formula, the names of its arguments, the file with the arguments as rows of doubles
of equal length, and the file to write to, separated by tabs. Writes two rows of doubles whose sums are the results, and then a
line to standard output.
"""

import array
import sys

import mpmath
from mpmath import mp, mpf

mp.prec = 160

# Far enough beyond the largest and the smallest double, and far from what takes long to compute.
HUGE = mpf(2) ** 3000
TINY = mpf(2) ** -3000


def within(low, high, function, below, above):
    """A function that need not be computed outside of an interval."""
    def bounded(x):
        if x > high:
            return above
        return below if x < low else function(x)
    return bounded


def pow(x, y):
    if y == 0 or x == 1:
        return mpf(1)
    if x == 0 or mpmath.isinf(x) or mpmath.isinf(y):
        return limit_of_pow(x, y)
    if x < 0 and y != mpmath.floor(y):
        return mpmath.nan
    sign = -1 if x < 0 and int(y) % 2 else 1
    exponent = y * mp.log(abs(x))
    return sign * within(-2000, 2000, lambda _: abs(x) ** y, TINY, HUGE)(exponent)


def limit_of_pow(x, y):
    if mpmath.isinf(y):
        if abs(x) == 1:
            return mpf(1)
        return mpmath.inf if (abs(x) > 1) == (y > 0) else mpf(0)
    sign = -1 if x < 0 and y == mpmath.floor(y) and int(y) % 2 else 1
    return sign * (mpmath.inf if (x == 0) == (y < 0) else mpf(0))


def pown(x, n):
    return pow(x, n)


def powr(x, y):
    if x < 0 or (x in (0, mpmath.inf) and y == 0) or (x == 1 and mpmath.isinf(y)):
        return mpmath.nan
    return pow(x, y)


def rootn(x, n):
    if n == 0 or (x < 0 and n % 2 == 0):
        return mpmath.nan
    sign = -1 if x < 0 and n % 2 else 1
    return sign * pow(abs(x), 1 / n)


def cbrt(x):
    return rootn(x, mpf(3))


def gamma(x):
    if x == 0 or mpmath.isinf(x):
        return mpmath.nan if x < 0 else mpmath.inf
    if x < 0 and x == mpmath.floor(x):
        return mpmath.nan
    if abs(x) < TINY or abs(x) > 400:
        return 1 / x if abs(x) < 1 else (HUGE if x > 0 else TINY)
    return mp.gamma(x)


def lgamma(x):
    if mpmath.isinf(x) or (x <= 0 and x == mpmath.floor(x)):
        return mpmath.inf
    return mp.loggamma(x).real


def tan_of_half_turns(x):
    return mp.sinpi(x) / mp.cospi(x) if mp.cospi(x) else mpmath.inf


def logarithm(base):
    def of(x):
        if x == 0:
            return -mpmath.inf
        return mp.log(x, base) if base else mp.log(x)
    return of


def trigonometric(function):
    return lambda x: mpmath.nan if mpmath.isinf(x) else function(x)


def log1p(x):
    return -mpmath.inf if x == -1 else mp.log1p(x)


NAMES = {
    "pi": mp.pi,
    "acos": mp.acos,
    "acosh": mp.acosh,
    "asin": mp.asin,
    "asinh": mp.asinh,
    "atan": mp.atan,
    "atan2": mp.atan2,
    "atanh": lambda x: x * mpmath.inf if abs(x) == 1 else mp.atanh(x),
    "cbrt": cbrt,
    "cos": trigonometric(mp.cos),
    "cosh": lambda x: within(0, 2000, mp.cosh, HUGE, HUGE)(abs(x)),
    "cospi": trigonometric(mp.cospi),
    "degrees": mp.degrees,
    "erf": within(-100, 100, mp.erf, mpf(-1), mpf(1)),
    "erfc": within(-100, 100, mp.erfc, mpf(2), TINY),
    "exp": within(-2000, 2000, mp.exp, TINY, HUGE),
    "exp2": within(-2000, 2000, lambda x: mpf(2) ** x, TINY, HUGE),
    "exp10": within(-2000, 2000, lambda x: mpf(10) ** x, TINY, HUGE),
    "expm1": within(-2000, 2000, mp.expm1, mpf(-1), HUGE),
    "gamma": gamma,
    "hypot": mp.hypot,
    "lgamma": lgamma,
    "log": logarithm(None),
    "log10": logarithm(10),
    "log1p": log1p,
    "log2": logarithm(2),
    "pow": pow,
    "pown": pown,
    "powr": powr,
    "radians": mp.radians,
    "rootn": rootn,
    "rsqrt": lambda x: 1 / mp.sqrt(x) if x else mpmath.inf,
    "sin": trigonometric(mp.sin),
    "sinh": within(-2000, 2000, mp.sinh, -HUGE, HUGE),
    "sinpi": trigonometric(mp.sinpi),
    "sqrt": mp.sqrt,
    "tan": trigonometric(mp.tan),
    "tanh": mp.tanh,
    "tanpi": trigonometric(tan_of_half_turns),
}


def evaluate(function, arguments):
    if any(argument != argument for argument in arguments):
        return mpmath.nan
    try:
        value = function(*map(mpf, arguments))
    except ValueError:
        return mpmath.nan
    except ZeroDivisionError:
        # Of what sign it is, or whether it is a number at all, is not for an exact result to say.
        return mpmath.inf
    # A result that is no real number is none at all.
    return value if isinstance(value, mpf) else mpmath.nan


def parts(value):
    near = float(value)
    if near - near != 0:
        return near, 0.0
    return near, float(value - near)


def answer(formula, names, source, target):
    names = names.split()
    with open(source, "rb") as file:
        numbers = array.array("d", file.read())
    count = len(numbers) // len(names)
    rows = [numbers[row * count : (row + 1) * count] for row in range(len(names))]
    function = eval(f"lambda {', '.join(names)}: {formula}", dict(NAMES))
    results = [parts(evaluate(function, arguments)) for arguments in zip(*rows)]
    with open(target, "wb") as file:
        for row in zip(*results):
            array.array("d", row).tofile(file)


for line in sys.stdin:
    answer(*line.rstrip("\n").split("\t"))
    print("done", flush=True)
