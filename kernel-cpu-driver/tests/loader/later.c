// What newer versions of the API have, as a program uses it that is written by their headers (1.17): drivers by their kind, a context that is there already, lists in
// order, launches with their arguments, functions of the host, events that count, graphs, times on the host's clock, lists that are changed, and memory of another process.
// Arguments: a module with the kernel `add`, and the kind of device that there must be, `cpu` or `gpu`.

#include "client.h"

#include <level_zero/zer_api.h>

#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { COUNT = 256, BYTES = COUNT * sizeof(uint32_t), GROUP = 64 };

static void find_device(bool is_gpu) {
    ze_init_driver_type_desc_t types = { .stype = ZE_STRUCTURE_TYPE_INIT_DRIVER_TYPE_DESC };
    types.flags = is_gpu ? ZE_INIT_DRIVER_TYPE_FLAG_GPU : UINT32_MAX;
    uint32_t count = 0;
    OK(zeInitDrivers(&count, NULL, &types));
    EXPECT(count == 1);
    OK(zeInitDrivers(&count, &driver, &types));
    OK(zeDeviceGet(driver, &count, &device));
    // What wraps handles, in loader 1.32, does not know those that functions return.
    if (getenv("ZE_ENABLE_LOADER_INTERCEPT") != NULL) {
        ze_context_desc_t description = { .stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC };
        OK(zeContextCreate(driver, &description, &context));
        return;
    }
    context = zeDriverGetDefaultContext(driver);
    EXPECT(context != NULL);
    uint32_t number = zerTranslateDeviceHandleToIdentifier(device);
    EXPECT(number != UINT32_MAX && zerTranslateIdentifierToDeviceHandle(number) == device);
}

static void build(const uint8_t *words, size_t size) {
    ze_module_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
        .format = ZE_MODULE_FORMAT_IL_SPIRV,
        .inputSize = size,
        .pInputModule = words,
    };
    OK(zeModuleCreate(context, device, &description, &module, NULL));
    ze_kernel_desc_t of_kernel = { .stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = "add" };
    OK(zeKernelCreate(module, &of_kernel, &kernel));
    ze_device_mem_alloc_desc_t on_device = { .stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC };
    ze_host_mem_alloc_desc_t on_host = { .stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC };
    OK(zeMemAllocShared(context, &on_device, &on_host, BYTES, 64, device, (void **)&from));
    OK(zeMemAllocShared(context, &on_device, &on_host, BYTES, 64, device, (void **)&to));
    for (uint32_t i = 0; i < COUNT; i++) {
        from[i] = 3 * i;
    }
}

static ze_command_list_handle_t immediate(ze_command_queue_flags_t flags) {
    ze_command_queue_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
        .flags = flags,
        .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
    };
    ze_command_list_handle_t list;
    OK(zeCommandListCreateImmediate(context, device, &description, &list));
    ze_command_queue_flags_t said;
    OK(zeCommandListImmediateGetFlags(list, &said));
    EXPECT(said == flags);
    ze_command_queue_mode_t mode;
    OK(zeCommandListImmediateGetMode(list, &mode));
    EXPECT(mode == ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    return list;
}

static void launch(ze_command_list_handle_t list, uint32_t *target, uint32_t what, ze_event_handle_t signal,
                   uint32_t count, ze_event_handle_t *waits) {
    void *arguments[] = { &from, &target, &what };
    ze_group_count_t groups = { COUNT / GROUP, 1, 1 };
    ze_group_size_t size = { GROUP, 1, 1 };
    OK(zeCommandListAppendLaunchKernelWithArguments(list, kernel, groups, size, arguments, NULL, signal, count, waits));
}

static void expect_sums(const uint32_t *sums, uint32_t what) {
    bool right = true;
    for (uint32_t i = 0; i < COUNT; i++) {
        right = right && sums[i] == 3 * i + what;
    }
    EXPECT(right);
}

static uint32_t seen;

static void look(void *data) {
    seen = ((uint32_t *)data)[COUNT - 1];
}

// Commands of a list in order see what those before them have done, a function of the host among them.
static void run_in_order(void) {
    ze_command_list_handle_t list = immediate(ZE_COMMAND_QUEUE_FLAG_IN_ORDER);
    uint32_t zero = 0;
    OK(zeCommandListAppendMemoryFillWithParameters(list, to, &zero, sizeof zero, BYTES, NULL, NULL, 0, NULL));
    launch(list, to, 5, NULL, 0, NULL);
    OK(zeCommandListAppendHostFunction(list, look, to, NULL, NULL, 0, NULL));
    launch(list, to, 6, NULL, 0, NULL);
    OK(zeCommandListHostSynchronize(list, UINT64_MAX));
    EXPECT(seen == 3 * (COUNT - 1) + 5);
    expect_sums(to, 6);
    OK(zeDeviceSynchronize(device));
    OK(zeCommandListDestroy(list));
}

// Two lists of which one waits for the other by an event that counts, and is used again without being reset.
static void run_counting(void) {
    ze_event_counter_based_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_DESC,
        .flags = ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE | ZE_EVENT_COUNTER_BASED_FLAG_HOST_VISIBLE,
        .signal = ZE_EVENT_SCOPE_FLAG_HOST,
        .wait = ZE_EVENT_SCOPE_FLAG_HOST,
    };
    ze_event_handle_t event;
    OK(zeEventCounterBasedCreate(context, device, &description, &event));
    ze_event_counter_based_flags_t flags;
    OK(zeEventGetCounterBasedFlags(event, &flags));
    EXPECT(flags == description.flags);
    ze_command_list_handle_t first = immediate(ZE_COMMAND_QUEUE_FLAG_IN_ORDER);
    ze_command_list_handle_t second = immediate(ZE_COMMAND_QUEUE_FLAG_IN_ORDER);
    uint32_t copy[COUNT];
    for (uint32_t round = 0; round < 3; round++) {
        launch(first, to, round, event, 0, NULL);
        OK(zeCommandListAppendMemoryCopyWithParameters(second, copy, to, BYTES, NULL, NULL, 1, &event));
        OK(zeCommandListHostSynchronize(second, UINT64_MAX));
        expect_sums(copy, round);
        OK(zeEventHostSynchronize(event, UINT64_MAX));
        uint64_t value, address;
        OK(zeEventCounterBasedGetDeviceAddress(event, &value, &address));
        EXPECT(*(volatile uint64_t *)(uintptr_t)address >= value);
    }
    OK(zeCommandListDestroy(first));
    OK(zeCommandListDestroy(second));
    OK(zeEventDestroy(event));
}

// A graph of what is appended to two lists, one of which waits for the other, executed several times. What looks at events in the layer of loader 1.32 knows none
// without a pool, nor the functions that take them here.
static void run_captured(void) {
    ze_event_counter_based_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_DESC,
        .flags = ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE,
    };
    ze_event_handle_t fork, join;
    OK(zeEventCounterBasedCreate(context, device, &description, &fork));
    OK(zeEventCounterBasedCreate(context, device, &description, &join));
    ze_command_list_handle_t first = immediate(ZE_COMMAND_QUEUE_FLAG_IN_ORDER);
    ze_command_list_handle_t second = immediate(ZE_COMMAND_QUEUE_FLAG_IN_ORDER);
    uint32_t copy[COUNT] = { 0 };
    OK(zeCommandListBeginGraphCaptureExt(first, NULL));
    launch(first, to, 40, fork, 0, NULL);
    OK(zeCommandListAppendMemoryCopyWithParameters(second, copy, to, BYTES, NULL, join, 1, &fork));
    EXPECT(zeCommandListIsGraphCaptureEnabledExt(second) == ZE_RESULT_QUERY_TRUE);
    launch(first, to, 41, NULL, 1, &join);
    ze_graph_handle_t graph;
    OK(zeCommandListEndGraphCaptureExt(first, NULL, &graph));
    EXPECT(zeGraphIsEmptyExt(graph) == ZE_RESULT_QUERY_FALSE);
    EXPECT(copy[1] == 0);
    ze_executable_graph_handle_t executable;
    OK(zeGraphInstantiateExt(graph, NULL, &executable));
    for (uint32_t round = 0; round < 3; round++) {
        memset(copy, 0, sizeof copy);
        OK(zeCommandListAppendGraphExt(first, executable, NULL, NULL, 0, NULL));
        OK(zeCommandListHostSynchronize(first, UINT64_MAX));
        expect_sums(copy, 40);
        expect_sums(to, 41);
    }
    OK(zeExecutableGraphDestroyExt(executable));
    OK(zeGraphDestroyExt(graph));
    OK(zeCommandListDestroy(first));
    OK(zeCommandListDestroy(second));
    OK(zeEventDestroy(fork));
    OK(zeEventDestroy(join));
}

// The times of a launch on the clock of the host.
static void run_with_times(void) {
    ze_event_pool_desc_t of_pool = {
        .stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
        .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_MAPPED_TIMESTAMP,
        .count = 1,
    };
    ze_event_pool_handle_t pool;
    OK(zeEventPoolCreate(context, &of_pool, 1, &device, &pool));
    ze_event_desc_t of_event = { .stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .signal = ZE_EVENT_SCOPE_FLAG_HOST };
    ze_event_handle_t event;
    OK(zeEventCreate(pool, &of_event, &event));
    ze_command_list_handle_t list = immediate(0);
    uint64_t before, after, on_device;
    OK(zeDeviceGetGlobalTimestamps(device, &before, &on_device));
    launch(list, to, 1, event, 0, NULL);
    OK(zeEventHostSynchronize(event, UINT64_MAX));
    OK(zeDeviceGetGlobalTimestamps(device, &after, &on_device));
    uint32_t count = 0;
    OK(zeEventQueryKernelTimestampsExt(event, device, &count, NULL));
    EXPECT(count == 1);
    ze_synchronized_timestamp_result_ext_t times;
    ze_event_query_kernel_timestamps_results_ext_properties_t results = {
        .stype = ZE_STRUCTURE_TYPE_EVENT_QUERY_KERNEL_TIMESTAMPS_RESULTS_EXT_PROPERTIES,
        .pSynchronizedTimestampsBuffer = &times,
    };
    OK(zeEventQueryKernelTimestampsExt(event, device, &count, &results));
    EXPECT(before <= times.global.kernelStart && times.global.kernelStart <= times.global.kernelEnd);
    EXPECT(times.global.kernelEnd <= after);
    OK(zeCommandListDestroy(list));
    OK(zeEventDestroy(event));
    OK(zeEventPoolDestroy(pool));
}

// A closed list whose kernel gets another argument.
static void run_changed(void) {
    ze_mutable_command_list_exp_desc_t mutable = { .stype = ZE_STRUCTURE_TYPE_MUTABLE_COMMAND_LIST_EXP_DESC };
    ze_command_list_desc_t description = {
        .stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC,
        .pNext = &mutable,
        .flags = ZE_COMMAND_LIST_FLAG_IN_ORDER,
    };
    ze_command_list_handle_t list;
    OK(zeCommandListCreate(context, device, &description, &list));
    ze_bool_t is_mutable = false;
    OK(zeCommandListIsMutableExp(list, &is_mutable));
    EXPECT(is_mutable);
    ze_mutable_command_id_exp_desc_t of_command = {
        .stype = ZE_STRUCTURE_TYPE_MUTABLE_COMMAND_ID_EXP_DESC,
        .flags = ZE_MUTABLE_COMMAND_EXP_FLAG_KERNEL_ARGUMENTS,
    };
    uint64_t command = 0;
    OK(zeCommandListGetNextCommandIdExp(list, &of_command, &command));
    launch(list, to, 10, NULL, 0, NULL);
    OK(zeCommandListClose(list));
    ze_command_list_handle_t runner = immediate(ZE_COMMAND_QUEUE_FLAG_IN_ORDER);
    OK(zeCommandListImmediateAppendCommandListsWithParameters(runner, 1, &list, NULL, NULL, 0, NULL));
    OK(zeCommandListHostSynchronize(runner, UINT64_MAX));
    expect_sums(to, 10);
    uint32_t what = 20;
    ze_mutable_kernel_argument_exp_desc_t argument = {
        .stype = ZE_STRUCTURE_TYPE_MUTABLE_KERNEL_ARGUMENT_EXP_DESC,
        .commandId = command,
        .argIndex = 2,
        .argSize = sizeof what,
        .pArgValue = &what,
    };
    ze_mutable_commands_exp_desc_t changes = {
        .stype = ZE_STRUCTURE_TYPE_MUTABLE_COMMANDS_EXP_DESC,
        .pNext = &argument,
    };
    OK(zeCommandListUpdateMutableCommandsExp(list, &changes));
    OK(zeCommandListClose(list));
    OK(zeCommandListImmediateAppendCommandListsExp(runner, 1, &list, NULL, 0, NULL));
    OK(zeCommandListHostSynchronize(runner, UINT64_MAX));
    expect_sums(to, 20);
    OK(zeCommandListDestroy(runner));
    OK(zeCommandListDestroy(list));
}

// What another process does with memory whose handle it has got by a pipe.
static int child(int pipe, bool is_gpu) {
    ze_ipc_mem_handle_t handle;
    if (read(pipe, &handle, sizeof handle) != sizeof handle) {
        return 1;
    }
    find_device(is_gpu);
    uint32_t *memory;
    OK(zeMemOpenIpcHandle(context, device, handle, 0, (void **)&memory));
    expect_sums(memory, 30);
    memory[0] = 99;
    OK(zeMemCloseIpcHandle(context, memory));
    return 0;
}

static void share(pid_t other, int pipe) {
    ze_device_mem_alloc_desc_t on_device = { .stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC };
    uint32_t *memory;
    OK(zeMemAllocDevice(context, &on_device, BYTES, 64, device, (void **)&memory));
    ze_ipc_mem_handle_t handle;
    OK(zeMemGetIpcHandleWithProperties(context, memory, NULL, &handle));
    ze_command_list_handle_t list = immediate(0);
    launch(list, memory, 30, NULL, 0, NULL);
    OK(zeCommandListHostSynchronize(list, UINT64_MAX));
    EXPECT(write(pipe, &handle, sizeof handle) == sizeof handle);
    int status = 1;
    EXPECT(waitpid(other, &status, 0) == other && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    uint32_t first = 0;
    OK(zeCommandListAppendMemoryCopy(list, &first, memory, sizeof first, NULL, 0, NULL));
    OK(zeCommandListHostSynchronize(list, UINT64_MAX));
    EXPECT(first == 99);
    OK(zeMemPutIpcHandle(context, handle));
    OK(zeCommandListDestroy(list));
    OK(zeMemFree(context, memory));
}

int main(int count, char **arguments) {
    if (count != 3) {
        fprintf(stderr, "usage: %s MODULE cpu|gpu\n", arguments[0]);
        return 2;
    }
    bool is_gpu = strcmp(arguments[2], "gpu") == 0;
    // The other process begins before there are threads.
    int ends[2];
    EXPECT(pipe(ends) == 0);
    pid_t other = fork();
    EXPECT(other >= 0);
    if (other == 0) {
        // If the first process ends early, there is nothing to read.
        close(ends[1]);
        return child(ends[0], is_gpu);
    }
    size_t size;
    uint8_t *words = read_file(arguments[1], &size);
    find_device(is_gpu);
    build(words, size);
    free(words);
    run_in_order();
    run_counting();
    run_captured();
    run_with_times();
    run_changed();
    share(other, ends[1]);
    OK(zeMemFree(context, from));
    OK(zeMemFree(context, to));
    OK(zeKernelDestroy(kernel));
    OK(zeModuleDestroy(module));
    printf("%d passed, 0 failed\n", passed);
    return 0;
}
