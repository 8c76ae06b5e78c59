/* Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* Every operation of a formula has its own parentheses, so that there is no
   precedence: "(a + b)", "(c ? a : b)", "!a", "min(a, b)". */

#include "formula.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *text, *at;
  FormulaNames names;
  void *context;
} Parser;

static void fail(const Parser *p, const char *message) {
  fprintf(stderr, "formula '%s': %s at '%s'\n", p->text, message, p->at);
  exit(2);
}

static int take(Parser *p, const char *token) {
  while (*p->at == ' ')
    ++p->at;
  if (strncmp(p->at, token, strlen(token)) != 0)
    return 0;
  p->at += strlen(token);
  return 1;
}

static void expect(Parser *p, const char *token) {
  if (!take(p, token))
    fail(p, "expected another token");
}

static int64_t parse(Parser *p);

static int64_t floor_divide(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static int64_t apply(Parser *p, const char *op, int64_t a, int64_t b) {
  static const char *const divisions[] = {"/", "%", "ceildiv", "floordiv",
                                          "mod"};
  for (size_t i = 0; i < sizeof divisions / sizeof *divisions; ++i)
    if (b == 0 && strcmp(op, divisions[i]) == 0)
      fail(p, "division by zero");
  switch (op[0]) {
  case '+':
    return a + b;
  case '-':
    return a - b;
  case '*':
    return a * b;
  case '/':
    return a / b;
  case '%':
    return a % b;
  case '^':
    return a ^ b;
  case '&':
    return op[1] ? a && b : a & b;
  case '|':
    return op[1] ? a || b : a | b;
  case '<':
    return op[1] ? a <= b : a < b;
  case '>':
    return op[1] ? a >= b : a > b;
  case '=':
    return a == b;
  case '!':
    return a != b;
  case 'c':
    return -floor_divide(-a, b);
  case 'f':
    return floor_divide(a, b);
  }
  if (strcmp(op, "min") == 0)
    return a < b ? a : b;
  if (strcmp(op, "max") == 0)
    return a > b ? a : b;
  return a - floor_divide(a, b) * b; /* mod */
}

/* What follows "(": an operation. */
static int64_t parse_operation(Parser *p) {
  static const char *const ops[] = {"<=", ">=", "==", "!=", "&&", "||",
                                    "+",  "-",  "*",  "/",  "%",  "<",
                                    ">",  "&",  "|",  "^"};
  int64_t a = parse(p);
  if (take(p, "?")) {
    int64_t yes = parse(p);
    expect(p, ":");
    int64_t no = parse(p);
    expect(p, ")");
    return a ? yes : no;
  }
  for (size_t i = 0; i < sizeof ops / sizeof *ops; ++i)
    if (take(p, ops[i])) {
      int64_t b = parse(p);
      expect(p, ")");
      return apply(p, ops[i], a, b);
    }
  fail(p, "expected an operator");
  return 0;
}

static int64_t parse(Parser *p) {
  static const char *const functions[] = {"min", "max", "ceildiv", "floordiv",
                                          "mod"};
  if (take(p, "("))
    return parse_operation(p);
  if (take(p, "!"))
    return !parse(p);
  if (isdigit((unsigned char)*p->at) || *p->at == '-') {
    char *end;
    int64_t number = strtoll(p->at, &end, 10);
    if (end == p->at)
      fail(p, "expected a number");
    p->at = end;
    return number;
  }
  const char *name = p->at;
  while (isalnum((unsigned char)*p->at) || *p->at == '.')
    ++p->at;
  size_t length = (size_t)(p->at - name);
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
    if (length == strlen(functions[i]) &&
        strncmp(name, functions[i], length) == 0) {
      expect(p, "(");
      int64_t a = parse(p);
      expect(p, ",");
      int64_t b = parse(p);
      expect(p, ")");
      return apply(p, functions[i], a, b);
    }
  if (length == 0)
    fail(p, "expected a value");
  return p->names(p->context, name, length);
}

int64_t formula_value(const char *text, FormulaNames names, void *context) {
  Parser parser = {text, text, names, context};
  int64_t value = parse(&parser);
  if (*parser.at != '\0')
    fail(&parser, "expected the end");
  return value;
}
