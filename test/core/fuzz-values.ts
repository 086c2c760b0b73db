import fc from 'fast-check';

/** Ids around the limits of 32 and 64 bits, of doubles, and of nonsense. */
const IDS = [
  '0',
  '-1',
  '2147483647',
  '2147483648',
  '9007199254740991',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775809',
  '1'.repeat(60),
  '1e3',
  '0x10',
  '00001',
  ' 1',
  '١',
];

/** Texts that parsers, patterns, indexes and databases trip over. */
const TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff\ud800',
  '\ufeff',
  '\u202e',
  '🏴‍☠️',
  'e\u0301',
  "'; drop table users; --",
  '%',
  '%00',
  '_',
  '\\',
  '../../etc/passwd',
  'a/../b',
  'refs/heads/main',
  '-',
  '--upload-pack=x',
  '@{-1}',
  'HEAD^{tree}',
  '[]',
  '{}',
  'null',
  'true',
  'NaN',
  'Infinity',
  '2030-02-30',
  '0000-00-00',
  '9999-12-31T23:59:59.999Z',
  '275760-09-13',
  '2030-01-01T25:00:00Z',
  '+10000-01-01',
  '* * * * *',
  '60 * * * *',
  '*/0 * * * *',
  '0 0 31 2 *',
  '@reboot',
];

/** What patterns that go back and forth take for ever on. */
const REPEATED = [' ', ',', '*/', '-', '.', '/', '1,', '1-', 'a', '((', '%25', '\n', '=', '[', 'é', '\\'];

export const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 2, arbitrary: fc.constantFrom(...IDS) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 2, arbitrary: fc.string({ maxLength: 20 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...REPEATED), fc.constantFrom(300, 5000, 50_000))
      .map(([part, times]) => part.repeat(times)),
  },
);

const scalar = fc.oneof(
  text,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom(2 ** 31, 2 ** 53, 1e308, -1, 0, 9.5),
);

function nested(depth: number, inner: unknown, asList: boolean): unknown {
  let value = inner;
  for (let level = 0; level < depth; level += 1) value = asList ? [value] : { a: value };
  return value;
}

/** Any value that JSON can hold: of every type, nested, deep. */
export const anyValue = fc.oneof(
  { weight: 6, arbitrary: scalar },
  { weight: 2, arbitrary: fc.array(scalar, { maxLength: 5 }) },
  {
    weight: 2,
    arbitrary: fc.dictionary(fc.oneof(fc.constantFrom('0', '1', 'name', 'value', '__proto__'), text), scalar, {
      maxKeys: 4,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.array(fc.dictionary(fc.constantFrom('name', 'value', 'destroy', 'id'), scalar), { maxLength: 3 }),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.integer({ min: 1, max: 200 }), scalar, fc.boolean()).map((args) => nested(...args)),
  },
);

/** A value of a declared type now and then, else any. */
export function valueFor(schema: Record<string, unknown>): fc.Arbitrary<unknown> {
  const types = [schema.type].flat();
  const right: fc.Arbitrary<unknown>[] = [];
  if (Array.isArray(schema.enum)) right.push(fc.constantFrom(...(schema.enum as unknown[])));
  if (types.includes('integer')) right.push(fc.oneof(fc.nat(60), fc.constantFrom(...IDS)));
  if (types.includes('boolean')) right.push(fc.boolean());
  if (schema.format) right.push(fc.date({ noInvalidDate: true }).map((date) => date.toISOString()));
  if (types.includes('string')) right.push(text, fc.constantFrom('main', 'example', 'UTC', '0 1 * * *'));
  if (types.includes('array'))
    right.push(fc.array(valueFor((schema.items ?? {}) as Record<string, unknown>), { maxLength: 4 }));
  if (types.includes('object') && schema.properties) {
    const properties = schema.properties as Record<string, Record<string, unknown>>;
    const fields = Object.fromEntries(Object.entries(properties).map(([key, child]) => [key, valueFor(child)]));
    right.push(fc.record(fields, { requiredKeys: [] }));
  }
  return right.length === 0
    ? anyValue
    : fc.oneof({ weight: 3, arbitrary: fc.oneof(...right) }, { weight: 1, arbitrary: anyValue });
}

/** A segment of a path, encoded or broken. */
export const segment = fc.oneof(
  { weight: 3, arbitrary: text.map((value) => encodeURIComponent(value.slice(0, 500).toWellFormed())) },
  { weight: 2, arbitrary: fc.constantFrom(...IDS.map(encodeURIComponent)) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '%',
      '%z',
      '%2',
      '%00',
      '%FF',
      '%C3%28',
      '%ED%A0%80',
      '..',
      '.',
      '%2e%2e',
      '%2E',
      'a%2Fb',
      'a%252Fb',
      '%2F',
      '%5C',
      'a;b=c',
      'a+b',
      '*',
      "'",
      '"',
      '$',
      '@',
      ':',
      '~',
      '!',
      'x'.repeat(8000),
      '%F0%9F%8F%B4',
    ),
  },
);
