// What the programs check answers by, and what each of them works with.

#include <level_zero/ze_api.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int passed;

static void expect(bool holds, const char *what, int line) {
    if (!holds) {
        fprintf(stderr, "line %d: %s\n", line, what);
        exit(1);
    }
    passed++;
}

#define EXPECT(condition) expect(condition, #condition, __LINE__)

static void expect_result(ze_result_t result, ze_result_t wanted, const char *what, int line) {
    if (result != wanted) {
        fprintf(stderr, "line %d: %s is 0x%x, not 0x%x\n", line, what, (unsigned)result, (unsigned)wanted);
        exit(1);
    }
    passed++;
}

#define RESULT(call, wanted) expect_result(call, wanted, #call, __LINE__)
#define OK(call) RESULT(call, ZE_RESULT_SUCCESS)

static ze_driver_handle_t driver;
static ze_device_handle_t device;
static ze_context_handle_t context;
static ze_module_handle_t module;
static ze_kernel_handle_t kernel;
static uint32_t *from, *to;

static uint8_t *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    EXPECT(file != NULL);
    enum { MOST = 1 << 20 };
    uint8_t *bytes = malloc(MOST);
    EXPECT(bytes != NULL);
    *size = fread(bytes, 1, MOST, file);
    EXPECT(*size > 4 && fclose(file) == 0);
    return bytes;
}
