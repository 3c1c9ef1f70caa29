"""SYCL from Python by the CPU driver: finds the device, moves memory, launches a kernel from SPIR-V, and computes with arrays.

Needs `dpctl`, `dpnp` and `numpy`, and a Level Zero loader of version 1.20 or newer; docs/level-zero.md says how to run it. The argument is a module
with the kernel `add` of ../loader/add.spvasm. Every array is compared with what numpy computes on the host. Ends with the number of checks.
"""

import ctypes
import sys

import dpctl
import dpctl.memory
import dpctl.program
import dpnp
import dpnp.tensor
import numpy

passed, failed = 0, 0


def check(what, compute, expected):
    """Compares a result, which may be any kind of number or array, with what it has to be."""
    global passed, failed
    try:
        result, wanted = dpnp.asnumpy(compute()), expected()
        right = numpy.allclose(result, wanted, rtol=1e-4, atol=1e-5, equal_nan=True)
        problem = "" if right else f"is {result}, not {wanted}"
    except Exception as error:  # Whatever it is, the other checks go on.
        right, problem = False, str(error).strip().split("\n")[-1]
    passed, failed = passed + right, failed + (not right)
    if not right:
        print(f"{what}: {problem}")


def bytes_of(memory, dtype):
    return numpy.frombuffer(memory.copy_to_host(), dtype=dtype)


def check_kernel(queue, module):
    """A kernel from SPIR-V over unified shared memory."""
    numbers = numpy.arange(1000, dtype=numpy.uint32)
    source = dpctl.memory.MemoryUSMShared(numbers.nbytes, queue=queue)
    target = dpctl.memory.MemoryUSMDevice(numbers.nbytes, queue=queue)
    source.copy_from_host(numbers.view(numpy.uint8))
    kernel = dpctl.program.create_program_from_spirv(queue, module).get_sycl_kernel("add")
    queue.submit(kernel, [source, target, ctypes.c_uint(7)], [len(numbers)])
    queue.wait()
    check("a kernel from SPIR-V", lambda: bytes_of(target, numpy.uint32), lambda: numbers + 7)


def check_arrays():
    """Functions of arrays, which DPC++ has compiled."""
    reals = numpy.arange(1000, dtype=numpy.float32) / 7
    integers = numpy.arange(1000, dtype=numpy.int64) % 37
    matrix = numpy.sin(numpy.arange(600, dtype=numpy.float32)).reshape(20, 30)
    small = integers[:30].reshape(5, 6)

    def both(what, function, *arrays):
        on_device = [dpnp.asarray(array) for array in arrays]
        check(what, lambda: function(dpnp, *on_device), lambda: function(numpy, *arrays))

    for name in ["sum", "max", "min", "mean", "std", "argmax", "argmin", "cumsum", "any", "all", "median"]:
        both(name, lambda np, x, name=name: getattr(np, name)(x), reals)
        both(f"{name} of rows", lambda np, x, name=name: getattr(np, name)(x, axis=1), matrix)
    for name in ["sin", "cos", "log1p", "sqrt", "abs", "floor", "ceil", "tanh", "arctan", "cbrt", "sign", "square", "isfinite"]:
        both(name, lambda np, x, name=name: getattr(np, name)(x), reals)
    for name in ["add", "subtract", "multiply", "maximum", "minimum", "arctan2", "hypot", "fmod", "less", "logaddexp"]:
        both(name, lambda np, x, name=name: getattr(np, name)(x, x + 1), reals)
    for name in ["floor_divide", "remainder", "bitwise_and", "left_shift", "gcd", "lcm"]:
        both(f"{name} of integers", lambda np, x, name=name: getattr(np, name)(x, x % 5 + 1), integers)
    both("product", lambda np, x: np.prod(x), reals[5:20])
    both("powers", lambda np, x: np.power(x, 1.5), reals)
    both("complex numbers", lambda np, x: np.abs(x + 1j * x), reals)
    both("norm", lambda np, x: np.linalg.norm(x), reals)
    both("histogram", lambda np, x: np.histogram(x, 10)[0], reals)
    both("sort", lambda np, x: np.sort(-x), reals)
    both("argsort", lambda np, x: np.argsort(-x), reals)
    both("unique", lambda np, x: np.unique(x), integers)
    both("searchsorted", lambda np, x: np.searchsorted(x, x[:20]), reals)
    both("take", lambda np, x, i: np.take(x, i), reals, integers)
    both("where", lambda np, x: np.where(x > 50, x, -x), reals)
    both("a mask", lambda np, x: x[x > 50], reals)
    both("nonzero", lambda np, x: np.nonzero(x)[0], integers)
    both("a transposed copy", lambda np, x: x.T.copy(), matrix)
    both("repeat", lambda np, x: np.repeat(x, 3), integers)
    both("concatenate", lambda np, x: np.concatenate([x, x]), reals)
    both("diff", lambda np, x: np.diff(x), reals)
    both("bincount", lambda np, x: np.bincount(x), integers)
    both("convolve", lambda np, x: np.convolve(x, x[:5]), integers)
    both("a product of matrices of integers", lambda np, x: np.matmul(x, x.reshape(6, 5)), small)
    square = matrix[:, :20].astype(numpy.float64) + 3 * numpy.eye(20)
    both("inverse", lambda np, x: np.linalg.inv(x), square)
    both("determinant", lambda np, x: np.linalg.det(x), square)
    both("linear equations", lambda np, x: np.linalg.solve(x, x[0]), square)
    tensor = dpnp.tensor.asarray(matrix)
    product = lambda: dpnp.asarray(dpnp.tensor.matmul(tensor, tensor.T))
    check("a product of matrices of floats", product, lambda: numpy.matmul(matrix, matrix.T))
    both("half precision", lambda np, x: x.astype(np.float16) * 2, reals)
    both("double precision", lambda np, x: x.astype(np.float64).sum(), reals)


def main():
    [device] = dpctl.get_devices(backend="level_zero")
    print(f"{device.name}: {device.max_compute_units} compute units, {device.driver_version}")
    with open(sys.argv[1], "rb") as module:
        check_kernel(dpctl.SyclQueue(device), module.read())
    check_arrays()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
