/* Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* A reader of JSON, as much as a manifest needs. */

#ifndef LAUNCH_KERNEL_JSON_H
#define LAUNCH_KERNEL_JSON_H

#include <stdint.h>

typedef enum {
  JsonNull,
  JsonBoolean,
  JsonNumber,
  JsonString,
  JsonArray,
  JsonObject
} JsonKind;

typedef struct Json {
  JsonKind kind;
  int64_t number;     /* of JsonNumber; of JsonBoolean 0 or 1 */
  char *text;         /* of JsonString */
  char *key;          /* of a member of an object */
  struct Json *first; /* element or member of an array or object */
  struct Json *next;  /* sibling of this one */
} Json;

/* Parses `text`; ends the program with a message if it is no JSON. */
Json *json_parse(const char *text);

void json_free(Json *json);

/* The member called `key`; null if there is none. */
Json *json_find(const Json *object, const char *key);

/* The same, but ends the program if there is none or it is of another kind. */
Json *json_get(const Json *object, const char *key, JsonKind kind);

/* Element `index` of an array; ends the program if there is none. */
Json *json_at(const Json *array, int index);

int json_length(const Json *array);

#endif
