/* Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Launches the kernels of an RMSNorm forward that were compiled ahead of time,
   knowing nothing but their manifests, and checks the results.

     launch-kernel ROWS SHIFT MANIFEST.json...

   The manifests are those of one function of arguments x, gamma, y and rstd;
   each of its kernels whose condition holds is launched. Rows are ROWS, every
   buffer begins SHIFT elements behind a multiple of 256 bytes. Exit code 1:
   wrong results or a failure of the driver, 2: unusable arguments, 3: no driver
   or no GPU. */

#include "driver.h"
#include "formula.h"
#include "json.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { X, Gamma, Y, Rstd, NumBuffers, MaxRank = 4, MaxWords = 128 };

typedef struct {
  const char *type; /* "f32" or "bf16"; null until a manifest names it */
  size_t element_bytes, count;
  int rank;
  int64_t sizes[MaxRank], strides[MaxRank];
  unsigned char *host;
  DevicePointer memory, start;
} Buffer;

typedef struct {
  Json *manifest, *launch;
  Buffer *buffers;
} Launch;

static void fail(const char *message, const char *detail) {
  fprintf(stderr, "launch-kernel: %s%s\n", message, detail);
  exit(2);
}

/*===-- Files ------------------------------------------------------------===*/

/* The bytes of a file and a null behind them. */
static char *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  size_t size = 0, space = 1 << 16, got;
  char *bytes = malloc(space);
  if (!file)
    fail("can't read ", path);
  while ((got = fread(bytes + size, 1, space - size - 1, file)) > 0)
    if ((size += got) == space - 1)
      bytes = realloc(bytes, space *= 2);
  fclose(file);
  bytes[size] = '\0';
  return bytes;
}

/* `name` in the directory of `path`. */
static char *get_neighbour(const char *path, const char *name) {
  const char *slash = strrchr(path, '/');
  size_t length = slash ? (size_t)(slash - path) + 1 : 0;
  char *result = malloc(length + strlen(name) + 1);
  memcpy(result, path, length);
  strcpy(result + length, name);
  return result;
}

/*===-- Buffers ----------------------------------------------------------===*/

static float get_element(const Buffer *buffer, size_t index) {
  uint32_t bits = 0;
  float value;
  if (buffer->element_bytes == 4) {
    memcpy(&bits, buffer->host + 4 * index, 4);
  } else {
    uint16_t half;
    memcpy(&half, buffer->host + 2 * index, 2);
    bits = (uint32_t)half << 16;
  }
  memcpy(&value, &bits, 4);
  return value;
}

/* Values whose upper half is exact in bf16. */
static void set_random(Buffer *buffer) {
  static uint64_t state = 88172645463325252u;
  for (size_t i = 0; i < buffer->count; ++i) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    float value = (float)((double)(int64_t)state / 4611686018427387904.0);
    uint32_t bits;
    memcpy(&bits, &value, 4);
    uint16_t half = (uint16_t)(bits >> 16);
    if (buffer->element_bytes == 4)
      memcpy(buffer->host + 4 * i, &bits, 4);
    else
      memcpy(buffer->host + 2 * i, &half, 2);
  }
}

/* Takes type and shape of a buffer from the description of an argument. */
static void set_shape(Buffer *buffer, Json *argument, int64_t rows) {
  Json *shape = json_get(argument, "shape", JsonArray);
  buffer->type = json_get(argument, "type", JsonString)->text;
  if (strcmp(buffer->type, "f32") != 0 && strcmp(buffer->type, "bf16") != 0)
    fail("expected elements of f32 or bf16, got ", buffer->type);
  buffer->element_bytes = strcmp(buffer->type, "f32") == 0 ? 4 : 2;
  buffer->rank = json_length(shape);
  if (buffer->rank > MaxRank)
    fail("expected a smaller rank", "");
  buffer->count = 1;
  for (int axis = buffer->rank - 1; axis >= 0; --axis) {
    Json *size = json_at(shape, axis);
    buffer->sizes[axis] = size->kind == JsonNull ? rows : size->number;
    buffer->strides[axis] = (int64_t)buffer->count;
    buffer->count *= (size_t)buffer->sizes[axis];
  }
}

static void allocate(Buffer *buffer, size_t shift, int is_input) {
  size_t bytes = buffer->count * buffer->element_bytes;
  buffer->host = malloc(bytes + 1);
  memset(buffer->host, 0xff, bytes); /* NaNs, should nobody write them */
  if (is_input)
    set_random(buffer);
  shift *= buffer->element_bytes;
  buffer->memory = driver_allocate(bytes + shift + 1);
  buffer->start = buffer->memory + shift;
  driver_upload(buffer->start, buffer->host, bytes);
}

/*===-- Formulas ---------------------------------------------------------===*/

/* The buffer of the host's argument that kernel argument `index` is. */
static Buffer *get_buffer(const Launch *launch, int index) {
  Json *arguments = json_get(launch->launch, "arguments", JsonArray);
  Json *host = json_find(json_at(arguments, index), "host_argument");
  if (!host || host->number < 0 || host->number >= NumBuffers)
    fail("expected each buffer to be x, gamma, y or rstd", "");
  return &launch->buffers[host->number];
}

/* Property `name` of a buffer: "pointer", "offset", "size0", "stride1". */
static int64_t get_property(const Buffer *buffer, const char *name,
                            size_t length) {
  int axis = name[length - 1] - '0';
  if (length == 7 && strncmp(name, "pointer", 7) == 0)
    return (int64_t)buffer->start;
  if (length == 6 && strncmp(name, "offset", 6) == 0)
    return 0;
  if (axis < 0 || axis >= buffer->rank)
    fail("unknown property ", name);
  if (length == 5 && strncmp(name, "size", 4) == 0)
    return buffer->sizes[axis];
  if (length == 7 && strncmp(name, "stride", 6) == 0)
    return buffer->strides[axis];
  fail("unknown property ", name);
  return 0;
}

static int64_t get_name(void *context, const char *name, size_t length);

static int64_t evaluate(Launch *launch, const Json *formula) {
  if (formula->kind != JsonString)
    fail("expected a formula", "");
  return formula_value(formula->text, get_name, launch);
}

static int64_t get_scalar(Launch *launch, int index) {
  Json *arguments = json_get(launch->launch, "arguments", JsonArray);
  return evaluate(launch,
                  json_get(json_at(arguments, index), "value", JsonString));
}

static int64_t get_name(void *context, const char *name, size_t length) {
  Launch *launch = context;
  const char *end = name + length;
  int is_host = length > 5 && strncmp(name, "host.", 5) == 0;
  const char *digits = name + (is_host ? 5 : 0) + 3;
  char *rest;
  long index = strtol(digits, &rest, 10);
  if (rest == end && !is_host)
    return get_scalar(launch, (int)index);
  if (rest >= end || *rest != '.' || (is_host && index >= NumBuffers))
    fail("unknown name ", name);
  Buffer *buffer =
      is_host ? &launch->buffers[index] : get_buffer(launch, (int)index);
  return get_property(buffer, rest + 1, (size_t)(end - rest - 1));
}

/*===-- Launching --------------------------------------------------------===*/

/* Fills `words` with the parameters of all arguments; returns how many. */
static int pack_parameters(Launch *launch, uint64_t words[MaxWords]) {
  Json *arguments = json_get(launch->manifest, "arguments", JsonArray);
  int count = 0, index = 0;
  for (Json *argument = arguments->first; argument;
       argument = argument->next, ++index) {
    Json *parameters = json_get(argument, "parameters", JsonArray);
    for (Json *word = parameters->first; word; word = word->next) {
      if (count == MaxWords)
        fail("expected fewer parameters", "");
      int is_scalar = strcmp(word->text, "value") == 0;
      words[count++] =
          (uint64_t)(is_scalar ? get_scalar(launch, index)
                               : get_property(get_buffer(launch, index),
                                              word->text, strlen(word->text)));
    }
  }
  return count;
}

/* Whether all formulas of a list hold. */
static int all_hold(Launch *launch, const char *list) {
  Json *formulas = json_get(launch->launch, list, JsonArray);
  for (Json *formula = formulas->first; formula; formula = formula->next)
    if (!evaluate(launch, formula))
      return 0;
  return 1;
}

static void get_dims(Launch *launch, const char *list, unsigned dims[3]) {
  Json *formulas = json_get(launch->launch, list, JsonArray);
  for (int i = 0; i < 3; ++i)
    dims[i] = (unsigned)evaluate(launch, json_at(formulas, i));
}

static void run(Launch *launch, const char *path) {
  uint64_t words[MaxWords];
  void *parameters[MaxWords];
  unsigned grid[3], block[3];
  const char *name = json_get(launch->manifest, "name", JsonString)->text;
  Json *code = json_at(json_get(launch->manifest, "code", JsonArray), 0);
  char *file = get_neighbour(path, json_get(code, "file", JsonString)->text);
  char *bytes = read_file(file);
  unsigned shared = (unsigned)evaluate(
      launch, json_get(launch->launch, "shared_bytes", JsonString));
  int count = pack_parameters(launch, words);
  for (int i = 0; i < count; ++i)
    parameters[i] = &words[i];
  get_dims(launch, "grid", grid);
  get_dims(launch, "block", block);
  printf("%s: grid %u x %u x %u, block %u x %u x %u, %u bytes shared\n", file,
         grid[0], grid[1], grid[2], block[0], block[1], block[2], shared);
  if (grid[0] != 0 && grid[1] != 0 && grid[2] != 0)
    driver_launch(driver_find(driver_load(bytes), name, shared), grid, block,
                  shared, parameters);
  free(bytes);
  free(file);
}

/* Runs the launches of a manifest that are meant for these buffers. */
static int run_manifest(Json *manifest, const char *path, Buffer *buffers) {
  int launched = 0;
  Json *launches = json_get(manifest, "launches", JsonArray);
  for (Json *json = launches->first; json; json = json->next) {
    Launch launch = {manifest, json, buffers};
    if (!all_hold(&launch, "requires"))
      fail("the kernel does not take these sizes: ", path);
    if (!all_hold(&launch, "condition"))
      continue;
    run(&launch, path);
    ++launched;
  }
  return launched;
}

/*===-- Checking ---------------------------------------------------------===*/

/* Compares y and rstd with the definition in double; returns how many differ.
 */
static long check(Buffer *buffers, double epsilon) {
  Buffer *x = &buffers[X], *gamma = &buffers[Gamma], *y = &buffers[Y],
         *rstd = &buffers[Rstd];
  size_t columns = gamma->count, rows = x->count / columns;
  double rounding = y->element_bytes == 4 ? 0x1p-21 : 0x1p-8;
  long wrong = 0;
  for (size_t row = 0; row < rows; ++row) {
    double sum = 0;
    for (size_t i = 0; i < columns; ++i) {
      double value = get_element(x, row * columns + i);
      sum += value * value;
    }
    double scale = 1 / sqrt(sum / (double)columns + epsilon);
    wrong += !(fabs(get_element(rstd, row) - scale) <= 2e-6 * scale);
    for (size_t i = 0; i < columns; ++i) {
      double expected =
          get_element(x, row * columns + i) * scale * get_element(gamma, i);
      double error = fabs(get_element(y, row * columns + i) - expected);
      wrong += !(error <= rounding * fabs(expected));
    }
  }
  return wrong;
}

/* Learns the shapes of the buffers from the arguments of all manifests. */
static void find_shapes(Json *manifest, Buffer *buffers, int64_t rows) {
  Json *launches = json_get(manifest, "launches", JsonArray);
  for (Json *json = launches->first; json; json = json->next) {
    Launch launch = {manifest, json, buffers};
    Json *arguments = json_get(manifest, "arguments", JsonArray);
    int index = 0;
    for (Json *argument = arguments->first; argument;
         argument = argument->next, ++index)
      if (strcmp(json_get(argument, "kind", JsonString)->text, "buffer") == 0)
        set_shape(get_buffer(&launch, index), argument, rows);
  }
}

/* The number from 0 to most that the text is. */
static int64_t parse_number(const char *text, int64_t most) {
  char *rest;
  errno = 0;
  long long number = strtoll(text, &rest, 10);
  if (errno || rest == text || *rest || number < 0 || number > most)
    fail("expected a number that is not negative nor too large, got ", text);
  return number;
}

int main(int argc, char **argv) {
  static const char *const names[] = {"x", "gamma", "y", "rstd"};
  Buffer buffers[NumBuffers] = {{0}};
  int launched = 0;
  if (argc < 4)
    fail("usage: launch-kernel ROWS SHIFT MANIFEST.json...", "");
  int64_t rows = parse_number(argv[1], 1 << 20);
  size_t shift = (size_t)parse_number(argv[2], 1 << 20);
  driver_open();
  Json *manifests[64] = {NULL};
  int count = argc - 3;
  if (count > 64)
    fail("expected fewer manifests", "");
  for (int i = 0; i < count; ++i) {
    char *text = read_file(argv[3 + i]);
    manifests[i] = json_parse(text);
    find_shapes(manifests[i], buffers, rows);
    free(text);
  }
  for (int i = 0; i < NumBuffers; ++i) {
    if (!buffers[i].type)
      fail("no kernel has the argument ", names[i]);
    allocate(&buffers[i], shift, i == X || i == Gamma);
  }
  for (int i = 0; i < count; ++i)
    launched += run_manifest(manifests[i], argv[3 + i], buffers);
  if (launched == 0)
    fail("no kernel's condition holds", "");
  for (int i = 0; i < NumBuffers; ++i) {
    driver_download(buffers[i].host, buffers[i].start,
                    buffers[i].count * buffers[i].element_bytes);
    driver_free(buffers[i].memory);
  }
  long wrong = check(buffers, 1e-6);
  printf("%ld wrong values\n", wrong);
  for (int i = 0; i < NumBuffers; ++i)
    free(buffers[i].host);
  for (int i = 0; i < count; ++i)
    json_free(manifests[i]);
  return wrong != 0;
}
