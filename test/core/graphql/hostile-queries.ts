/** Characters of a query, at most. */
export const LONGEST = 10_000;
export const times = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => write(i));
export const aliases = (count: number) => `{ ${times(count, (i) => `a${i}:__typename`).join(' ')} }`;
const deep = (depth: number) => `{ group(fullPath: "a/b") { ${'parent{'.repeat(depth)} id ${'}'.repeat(depth + 2)}`;
const doubling = (layers: number) =>
  [
    '{ ...F0 }',
    ...times(layers, (i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`),
    `fragment F${layers} on Query { metadata { version } }`,
  ].join(' ');

/** Queries that are refused before anything is read, and how their refusals begin. */
export const HOSTILE_QUERIES: Record<string, [query: string, message: RegExp]> = {
  '600 aliases of one leaf': [aliases(600), /^Query has complexity of 600, which exceeds max complexity of 200$/],
  'a circle of fragments': [
    '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }',
    /^Cannot spread fragment "A" within itself via "B"\.$/,
  ],
  'a fragment within itself': ['{ ...A } fragment A on Query { ...A }', /^Cannot spread fragment "A" within itself\.$/],
  '2^40 expansions': [doubling(40), /^Query (has complexity|exceeds the maximum allowed number of nodes)/],
  'fields nested 1,000 deep': [deep(1000), /^Query has depth of 1002, which exceeds max depth of 100$/],
  '1,600 inline fragments within each other': [
    `${'{ ...'.repeat(1600)}{ __typename }${'}'.repeat(1600)}`,
    /^Query has depth of 1601, which exceeds max depth of 100$/,
  ],
  'inline fragments in a chain of fragments': [
    [
      '{ ...F0 }',
      ...times(25, (i) => `fragment F${i} on Query { ${'...{'.repeat(60)} ...F${i + 1} ${'}'.repeat(60)} }`),
      'fragment F25 on Query { __typename }',
    ].join(' '),
    /^Query has depth of \d+, which exceeds max depth of 100$/,
  ],
  'a chain of 200 fragments': [
    [
      '{ ...F0 }',
      ...times(200, (i) => `fragment F${i} on Query { ...F${i + 1} }`),
      'fragment F200 on Query { __typename }',
    ].join(' '),
    /^Query has depth of 202, which exceeds max depth of 100$/,
  ],
  'lists nested 4,000 deep': [
    `{ echo(text: ${'['.repeat(4000)}${']'.repeat(4000)}) }`,
    /^Query has depth of 4002, which exceeds max depth of 100$/,
  ],
  'objects nested 1,500 deep': [
    `{ echo(text: ${'{a:'.repeat(1500)}1${'}'.repeat(1500)}) }`,
    /^Query has depth of 1502, which exceeds max depth of 100$/,
  ],
  '9,000 opening braces': ['{'.repeat(9000), /^Query has depth of 9000, which exceeds max depth of 100$/],
  'a type within 3,000 lists': [
    `query a($v: ${'['.repeat(3000)}Int${']'.repeat(3000)}) { __typename }`,
    /^Query has depth of 3001, which exceeds max depth of 100$/,
  ],
  '600 directives on one field': [
    `{ echo(text: "x") ${'@skip(if:true)'.repeat(600)} }`,
    /^The directive "@skip" can only be used once at this location\.$/,
  ],
  '3,000 unknown directives on one field': [`{ __typename ${'@a'.repeat(3000)} }`, /^Directive @a is not defined$/],
  '700 operations': [
    times(700, (i) => `query q${i}{__typename}`)
      .join(' ')
      .slice(0, LONGEST - 20),
    /./,
  ],
  '1,000 unknown fields': [
    `{ ${times(1000, (i) => `x${i}`).join(' ')} }`,
    /^Field 'x0' doesn't exist on type 'Query'$/,
  ],
  '300 variables that nobody declared': [
    `{ ${times(300, (i) => `a${i}:echo(text:$v${i})`).join(' ')} }`,
    /^Variable \$v0 is used by anonymous query but not declared$/,
  ],
};
