/* Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "json.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *message, const char *detail) {
  fprintf(stderr, "manifest: %s%s\n", message, detail);
  exit(2);
}

static void skip_space(const char **at) {
  while (isspace((unsigned char)**at))
    ++*at;
}

static int take(const char **at, char c) {
  skip_space(at);
  if (**at != c)
    return 0;
  ++*at;
  return 1;
}

static char *parse_string(const char **at) {
  if (!take(at, '"'))
    fail("expected a string at ", *at);
  char *text = malloc(strlen(*at) + 1), *end = text;
  while (**at != '"') {
    if (**at == '\0')
      fail("a string does not end", "");
    if (**at == '\\' && (*at)[1] != 'u')
      ++*at;
    *end++ = *(*at)++;
  }
  ++*at;
  *end = '\0';
  return text;
}

static Json *parse_value(const char **at);

/* The elements or members of `parent`, up to `close`. */
static void parse_children(const char **at, Json *parent, char close) {
  Json **last = &parent->first;
  if (take(at, close))
    return;
  do {
    char *key = NULL;
    if (parent->kind == JsonObject) {
      key = parse_string(at);
      if (!take(at, ':'))
        fail("expected ':' after ", key);
    }
    *last = parse_value(at);
    (*last)->key = key;
    last = &(*last)->next;
  } while (take(at, ','));
  if (!take(at, close))
    fail("a list does not end at ", *at);
}

static Json *parse_value(const char **at) {
  Json *json = calloc(1, sizeof(Json));
  skip_space(at);
  if (take(at, '{')) {
    json->kind = JsonObject;
    parse_children(at, json, '}');
  } else if (take(at, '[')) {
    json->kind = JsonArray;
    parse_children(at, json, ']');
  } else if (**at == '"') {
    json->kind = JsonString;
    json->text = parse_string(at);
  } else if (strncmp(*at, "null", 4) == 0) {
    json->kind = JsonNull;
    *at += 4;
  } else if (strncmp(*at, "true", 4) == 0) {
    json->kind = JsonBoolean;
    json->number = 1;
    *at += 4;
  } else if (strncmp(*at, "false", 5) == 0) {
    json->kind = JsonBoolean;
    *at += 5;
  } else {
    char *end;
    json->kind = JsonNumber;
    json->number = strtoll(*at, &end, 10);
    if (end == *at)
      fail("expected a value at ", *at);
    *at = end;
  }
  return json;
}

Json *json_parse(const char *text) {
  Json *json = parse_value(&text);
  skip_space(&text);
  if (*text != '\0')
    fail("expected nothing more at ", text);
  return json;
}

void json_free(Json *json) {
  while (json) {
    Json *next = json->next;
    json_free(json->first);
    free(json->text);
    free(json->key);
    free(json);
    json = next;
  }
}

Json *json_find(const Json *object, const char *key) {
  for (Json *member = object->first; member; member = member->next)
    if (member->key && strcmp(member->key, key) == 0)
      return member;
  return NULL;
}

Json *json_get(const Json *object, const char *key, JsonKind kind) {
  Json *member = json_find(object, key);
  if (!member || member->kind != kind)
    fail("expected a member of another kind, or at all: ", key);
  return member;
}

Json *json_at(const Json *array, int index) {
  Json *element = array->first;
  while (element && index-- > 0)
    element = element->next;
  if (!element)
    fail("expected a longer list", "");
  return element;
}

int json_length(const Json *array) {
  int length = 0;
  for (Json *element = array->first; element; element = element->next)
    ++length;
  return length;
}
